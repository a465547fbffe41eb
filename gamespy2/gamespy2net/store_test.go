package gamespy2net_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/test/laws"
)

// A hub joins the Stores of masters.
type (
	hub  = laws.Hub[gamespy2net.Entry, netip.AddrPort]
	node = laws.Node[gamespy2net.Entry, netip.AddrPort]
)

func newHub() *hub {
	return &hub{Key: func(e gamespy2net.Entry) netip.AddrPort { return e.Addr }}
}

// newNode returns a master that shares its list by a hub.
func newNode(h *hub) (*gamespy2net.Master, *node) {
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
		heartbeat := beat{key: instance}.wire(t)
		register(t, a, gameServer, heartbeat)
		wantListed(t, b) // not before the server has answered the query
		enlist(t, a, gameServer, beat{key: [4]byte{1}}.wire(t))
		enlist(t, b, otherServer, heartbeat)
		wantListed(t, a, gameServer, otherServer)
		wantListed(t, b, gameServer, otherServer)

		// A node that starts later gets all servers.
		time.Sleep(100 * time.Second)
		late, _ := newNode(h)
		wantListed(t, late, gameServer, otherServer)

		// A heartbeat counts at all nodes, whichever receives it, and so does its key.
		changed := beat{key: instance, pairs: []string{"hostname", "changed"}}.wire(t)
		noAnswer(t, b, otherServer, changed)
		time.Sleep(51 * time.Second)
		for _, m := range []*gamespy2net.Master{a, b, late} {
			wantListed(t, m, otherServer)
			if e := entryOf(t, m, otherServer); e.Heartbeat != string(changed) || time.Since(e.Seen) != 51*time.Second {
				t.Errorf("%q of %v ago", e.Heartbeat, time.Since(e.Seen))
			}
		}
		for _, n := range []*node{onA, onB} {
			if want := []netip.AddrPort{gameServer}; !slices.Equal(n.Expired(), want) {
				t.Errorf("%v have expired, want %v", n.Expired(), want)
			}
		}
		noAnswer(t, a, otherServer, heartbeat)

		// A server that stops is removed at all nodes.
		noAnswer(t, late, otherServer, beat{key: instance, state: qr2.StateShutdown}.wire(t))
		for _, m := range []*gamespy2net.Master{a, b, late} {
			wantListed(t, m)
		}

		// A node that has ended receives no more.
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		enlist(t, a, otherServer, heartbeat)
		wantListed(t, b)
		wantListed(t, late, otherServer)
		if !onB.Stopped() {
			t.Error("watching was not stopped")
		}
	})
}

// A Store does not receive every heartbeat.
func TestStoreReceivesHeartbeatsSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, n := newNode(newHub())
		heartbeat := beat{key: instance}.wire(t)
		enlist(t, m, gameServer, heartbeat)
		for range 120 {
			time.Sleep(time.Second)
			noAnswer(t, m, gameServer, heartbeat)
		}
		if len(n.Puts()) != 5 {
			t.Errorf("%d calls of Put in 120 s", len(n.Puts()))
		}
	})
}

// Entries of a Store that cannot be true are ignored.
func TestStoreIsNotTrusted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		m, _ := newNode(h)
		from := h.Node()
		heartbeat := string(beat{key: instance}.wire(t))
		valid := gamespy2net.Entry{Game: "gmtest", Addr: gameServer, Seen: time.Now(), Heartbeat: heartbeat}
		for name, change := range map[string]func(e *gamespy2net.Entry){
			"no address":         func(e *gamespy2net.Entry) { e.Addr = netip.AddrPort{} },
			"an address of IPv6": func(e *gamespy2net.Entry) { e.Addr = netip.MustParseAddrPort("[::1]:6500") },
			"port 0":             func(e *gamespy2net.Entry) { e.Addr = netip.AddrPortFrom(gameServer.Addr(), 0) },
			"seen long ago":      func(e *gamespy2net.Entry) { e.Seen = time.Now().Add(-gamespy2net.Expiry - 1) },
			"no heartbeat":       func(e *gamespy2net.Entry) { e.Heartbeat = "" },
			"a cut heartbeat":    func(e *gamespy2net.Entry) { e.Heartbeat = heartbeat[:30] },
			"a long heartbeat":   func(e *gamespy2net.Entry) { e.Heartbeat += strings.Repeat("a", qr2.MaxHeartbeat) },
			"another game":       func(e *gamespy2net.Entry) { e.Heartbeat = string(beat{game: "other"}.wire(t)) },
			"a server that stops": func(e *gamespy2net.Entry) {
				e.Heartbeat = string(beat{state: qr2.StateShutdown}.wire(t))
			},
		} {
			e := valid
			change(&e)
			from.Put(e)
			if st := m.Stats(); st.Listed != 0 {
				t.Errorf("%s: listed", name)
			}
		}
		valid.Seen = time.Now().Add(time.Hour) // clocks differ
		valid.Withheld = true                  // by the other node
		from.Put(valid)
		wantListed(t, m, gameServer)

		// An older entry changes nothing.
		older := valid
		older.Seen = time.Now().Add(-time.Minute)
		older.Heartbeat = string(beat{key: [4]byte{9}}.wire(t))
		from.Put(older)
		if e := entryOf(t, m, gameServer); e.Heartbeat != heartbeat {
			t.Errorf("%q", e.Heartbeat)
		}
		from.Remove(otherServer)
		wantListed(t, m, gameServer)
		from.Remove(gameServer)
		wantListed(t, m)
	})
}
