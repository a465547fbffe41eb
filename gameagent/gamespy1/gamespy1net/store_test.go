package gamespy1net_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/laws"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A hub joins the Stores of masters.
type (
	hub  = laws.Hub[gamespy1net.Entry, netip.AddrPort]
	node = laws.Node[gamespy1net.Entry, netip.AddrPort]
)

func newHub() *hub {
	return &hub{Key: func(e gamespy1net.Entry) netip.AddrPort { return e.Game }}
}

// newNode returns a master that shares its list through a hub.
func newNode(h *hub) (*gamespy1net.Master, *node) {
	m, n := newMaster(), h.Node()
	m.Store = n
	m.Stats() // joins the hub, as any call does
	return m, n
}

func TestStoreSharesTheList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		a, onA := newNode(h)
		b, onB := newNode(h)
		enlist(t, a, gameServer)
		enlist(t, b, otherServer)
		expectListed(t, a, gameServer, otherServer)
		expectListed(t, b, gameServer, otherServer)

		// A node that joins later gets all entries.
		time.Sleep(100 * time.Second)
		late, _ := newNode(h)
		expectListed(t, late, gameServer, otherServer)

		// A heartbeat to one node counts on all nodes.
		silent(t, b, gameServer, periodic)
		time.Sleep(201 * time.Second)
		for _, m := range []*gamespy1net.Master{a, b, late} {
			expectListed(t, m, gameServer)
			for e := range m.Servers() {
				if e.Heartbeat != string(periodic) || time.Since(e.Seen) != 201*time.Second {
					t.Errorf("got %q of %v ago", e.Heartbeat, time.Since(e.Seen))
				}
			}
		}

		for _, n := range []*node{onA, onB} {
			if want := []netip.AddrPort{gameagent.GameAddr(otherServer)}; !slices.Equal(n.Expired(), want) {
				t.Errorf("%v have expired, want %v", n.Expired(), want)
			}
		}

		// A server that joins again is hidden on all nodes.
		challenge := challengeOf(t, nettest.Answers(late.Respond(gameServer, join, nil)))
		for _, m := range []*gamespy1net.Master{a, b, late} {
			expectListed(t, m)
		}
		silent(t, late, gameServer, answerTo(challenge))
		for _, m := range []*gamespy1net.Master{a, b, late} {
			expectListed(t, m, gameServer)
		}

		// A node that was closed receives nothing.
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		enlist(t, a, otherServer)
		expectListed(t, b, gameServer)
		if !onB.Stopped() {
			t.Error("watching was not stopped")
		}
	})
}

// The name of a native server, which heartbeats lack, is shared and stays, and only the node of the
// server shares it. Another Admit may decide by it.
func TestStoreSharesSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		a, onA := newNode(h)
		b, onB := newNode(h)
		names := func(m *gamespy1net.Master) (all []string) {
			for e := range m.Servers() {
				all = append(all, e.View().Name)
			}
			return all
		}
		enlist(t, a, gameServer)
		game, session := gameagent.GameAddr(gameServer), gamespy1net.Session{Name: "One", GameName: "serioussamse"}
		a.SetSession(game, session)
		a.SetSession(game, session)
		a.SetSession(gameagent.GameAddr(otherServer), session)
		a.SetSession(game, gamespy1net.Session{Name: strings.Repeat("x", 300)})
		late, _ := newNode(h)
		for _, m := range []*gamespy1net.Master{a, b, late} {
			if got := names(m); !slices.Equal(got, []string{"One"}) {
				t.Errorf("%q", got)
			}
		}
		b.SetSession(game, gamespy1net.Session{Name: "Two"})
		if got := names(b); !slices.Equal(got, []string{"Two"}) {
			t.Errorf("%q", got)
		}
		silent(t, a, gameServer, periodic)
		if puts := len(onA.Puts()); puts != 2 || len(onB.Puts()) != 0 {
			t.Errorf("%d and %d puts", puts, len(onB.Puts()))
		}
		time.Sleep(299 * time.Second)
		expectListed(t, a, gameServer)
		time.Sleep(2 * time.Second)
		expectListed(t, a) // SetSession keeps nothing listed
	})
}

// Not every heartbeat is put into the Store.
func TestStoreIsToldSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, n := newNode(newHub())
		enlist(t, m, gameServer)
		for range 100 {
			silent(t, m, gameServer, periodic)
		}
		if len(n.Puts()) != 1 {
			t.Errorf("told %d times at once", len(n.Puts()))
		}
		time.Sleep(30 * time.Second)
		silent(t, m, gameServer, periodic)
		if len(n.Puts()) != 2 {
			t.Errorf("told %d times after 30 s", len(n.Puts()))
		}
		// A server that is listed again is always put.
		enlist(t, m, gameServer)
		if len(n.Puts()) != 3 {
			t.Errorf("told %d times after a join", len(n.Puts()))
		}
	})
}

// A Store may return any data.
func TestStoreTellsNonsense(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		m, n := newNode(h)
		m.Limits.MaxPerAddress = 2
		at := netip.MustParseAddrPort
		now := time.Now()
		for _, e := range []gamespy1net.Entry{
			{},
			{Game: at("198.51.100.1:0"), Seen: now, Heartbeat: "new"},
			{Game: at("198.51.100.1:65535"), Seen: now, Heartbeat: "new"},
			{Game: at("[2001:db8::1]:25600"), Seen: now, Heartbeat: "new"},
			{Game: at("198.51.100.1:25600"), Seen: now.Add(-301 * time.Second), Heartbeat: "new"},
			{Game: at("198.51.100.1:25600"), Seen: now},
			{Game: at("198.51.100.1:25600"), Seen: now, Status: `\final\`, GameName: "unknown"},
			{Game: at("198.51.100.1:25600"), Seen: now, Status: string(make([]byte, 2049)), GameName: "serioussamse"},
			{Game: at("198.51.100.1:25600"), Seen: now, Heartbeat: string(make([]byte, 1025))},
		} {
			n.Deliver(e)
		}
		expectListed(t, m)

		n.Deliver(gamespy1net.Entry{Game: at("[::ffff:198.51.100.1]:25600"), Seen: now.Add(time.Hour), Heartbeat: "new"})
		n.Deliver(gamespy1net.Entry{Game: at("198.51.100.1:25600"), Seen: now.Add(-time.Minute), Heartbeat: "old"})
		expectListed(t, m, gameServer)
		for e := range m.Servers() {
			if _, err := e.Parse(); err == nil || e.Heartbeat != "new" || !e.Seen.Equal(now) {
				t.Errorf("got %+v, %v", e, err)
			}
		}
		for _, game := range []string{"198.51.100.7:25600", "[2001:db8::1]:25600", "198.51.100.1:65535"} {
			n.Forget(at(game))
		}
		expectListed(t, m, gameServer)
		n.Forget(at("198.51.100.1:25600"))
		n.Forget(netip.AddrPort{})
		expectListed(t, m)
	})
}

// A late update does not list a server that is hidden here.
func TestStoreTellsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		m, n := newNode(h)
		enlist(t, m, gameServer)
		late := gamespy1net.Entry{Game: netip.AddrPortFrom(gameServer.Addr(), gameServer.Port()-1),
			Seen: time.Now().Add(-time.Second)}
		challenge := challengeOf(t, nettest.Answers(m.Respond(gameServer, join, nil)))
		n.Deliver(late)
		expectListed(t, m)
		silent(t, m, gameServer, answerTo(challenge))
		expectListed(t, m, gameServer)
	})
}
