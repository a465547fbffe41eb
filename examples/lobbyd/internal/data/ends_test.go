package data

import (
	"encoding"
	"log/slog"
	"net/netip"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// restored returns the entries, by family, that a lobbyd restores now, after another one was
// killed.
func restored(t *testing.T, killed *Dir) map[catalogue.Family]int {
	t.Helper()
	path := t.TempDir()
	if err := os.CopyFS(path, os.DirFS(killed.path)); err != nil {
		t.Fatal(err)
	}
	found := make(map[catalogue.Family]int)
	for family, l := range open(t, path).newLists(slog.New(slog.DiscardHandler)).all {
		if n := l.unverified(); n > 0 {
			found[family] = n
		}
	}
	return found
}

// masters list a server of GameAgent and games of Warzone of each lifetime.
type masters struct {
	agents gamespy1net.Master
	games  warzonegames.Games
}

// start starts masters with the lists of a directory.
func (m *masters) start(t *testing.T, l *Lists, agents gamespy1net.Store, games warzonegames.Store) {
	t.Helper()
	m.agents.Store, m.games.Store = agents, games
	m.agents.Stats()
	stop := m.games.ForLobbies().Share()
	t.Cleanup(func() {
		stop()
		m.agents.Close()
		l.Close()
	})
}

// register registers servers that send nothing more.
func (m *masters) register(t *testing.T) {
	t.Helper()
	from := netip.MustParseAddrPort("192.0.2.1:25601")
	answers, _ := m.agents.Respond(from, wire(t, gameagent.Join{}), nil)
	if len(answers) != 1 {
		t.Fatalf("%d answers to a join", len(answers))
	}
	c, err := gameagent.ParseChallenge(answers[0])
	if err != nil {
		t.Fatal(err)
	}
	m.agents.Respond(from, wire(t, gameagent.Heartbeat{Challenge: c.Challenge, MaxPlayers: new(8), Level: "Dunes"}), nil)
	for i, source := range []warzonegames.Source{
		warzonegames.SourceHTTP,
		warzonegames.SourceJSON,
		warzonegames.SourceText,
	} {
		_, err := m.games.Add(warzonegames.Entry{
			Key: netip.AddrPortFrom(from.Addr(), uint16(2100+i)), Source: source,
			Game: warzone.Game{Version: warzone.Version4, Name: source.String(), MaxPlayers: 4}, Verified: true,
			Expires: time.Now().Add(time.Duration(i+1) * time.Minute),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func wire(t *testing.T, m encoding.BinaryAppender) []byte {
	t.Helper()
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sleep lets time pass and checks the lists every second, as lobbyd does.
func (m *masters) sleep(d time.Duration) {
	for range d / time.Second {
		time.Sleep(time.Second)
		m.agents.Stats()
		m.games.Stats()
	}
	synctest.Wait()
}

func (m *masters) wantListed(t *testing.T, agents, games int) {
	t.Helper()
	if a, g := m.agents.Stats().Listed, m.games.Stats().Listed; a != agents || g != games {
		t.Errorf("listed %d servers and %d games, want %d and %d", a, g, agents, games)
	}
}

func wantRestored(t *testing.T, killed *Dir, agents, games int) {
	t.Helper()
	got := restored(t, killed)
	if got[catalogue.GameAgent] != agents || got[catalogue.Warzone] != games {
		t.Errorf("restored %v, want %d servers and %d games", got, agents, games)
	}
}

// Entries that have expired while lobbyd ran are not restored, whenever lobbyd is killed. The
// same holds for restored entries whose hosts have been silent since.
func TestExpiredIsNotRestored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, m := open(t, t.TempDir()), new(masters)
		l := d.Lists(slog.New(slog.DiscardHandler))
		m.start(t, l, l.GameAgent, l.Warzone)
		m.register(t)
		m.sleep(50 * time.Second)
		wantRestored(t, d, 1, 3)
		for games := range 3 {
			m.sleep(time.Minute)
			m.wantListed(t, 1, 2-games)
			wantRestored(t, d, 1, 2-games)
		}
		m.sleep(gamespy1net.Expiry - 3*time.Minute - 48*time.Second)
		m.wantListed(t, 0, 0)
		wantRestored(t, d, 0, 0)

		m.register(t)
		m.sleep(5 * time.Second)
		path := t.TempDir()
		if err := os.CopyFS(path, os.DirFS(d.path)); err != nil {
			t.Fatal(err)
		}
		again, after := open(t, path), new(masters)
		l = again.Lists(slog.New(slog.DiscardHandler))
		after.start(t, l, l.GameAgent, l.Warzone)
		after.sleep(grace - 5*time.Second)
		after.wantListed(t, 1, 3)
		wantRestored(t, again, 1, 3)
		after.sleep(7 * time.Second)
		after.wantListed(t, 1, 2)
		wantRestored(t, again, 1, 2)
		after.sleep(gamespy1net.Expiry)
		after.wantListed(t, 0, 0)
		wantRestored(t, again, 0, 0)
	})
}

// A bucket is a Store of two nodes.
type bucket[E, K any] struct {
	calls  chan func()
	other  *bucket[E, K]
	put    func(E)
	remove func(K)
}

func newBuckets[E, K any](t *testing.T) (both [2]lobbywire.Store[E, K]) {
	calls := make(chan func(), 100)
	go func() {
		for call := range calls {
			call()
		}
	}()
	t.Cleanup(func() { close(calls) })
	a, b := &bucket[E, K]{calls: calls}, &bucket[E, K]{calls: calls}
	a.other, b.other = b, a
	return [...]lobbywire.Store[E, K]{a, b}
}

func (b *bucket[E, K]) Put(e E)    { b.calls <- func() { b.other.put(e) } }
func (b *bucket[E, K]) Remove(k K) { b.calls <- func() { b.other.remove(k) } }
func (b *bucket[E, K]) Expire(K)   {}
func (b *bucket[E, K]) Watch(put func(E), remove func(K)) (stop func()) {
	b.put, b.remove = put, remove
	return func() {}
}

// After all nodes of a cluster were killed, none restores entries that have expired or were
// removed, not even the node that listed an entry before its host moved to another node.
func TestExpiredIsNotRestoredInCluster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var dirs []*Dir
		nodes := []*masters{new(masters), new(masters)}
		agents, games := newBuckets[gamespy1net.Entry, netip.AddrPort](t), newBuckets[warzonegames.Entry, uint32](t)
		isOurs := func(string) bool { return false }
		for i, m := range nodes {
			d := open(t, t.TempDir())
			l := d.Lists(slog.New(slog.DiscardHandler))
			m.start(t, l, l.GameAgent.Shared(agents[i], isOurs), l.Warzone.Shared(games[i], isOurs))
			dirs = append(dirs, d)
		}
		sleep := func(d time.Duration) {
			for range d / time.Second {
				nodes[0].games.Stats()
				nodes[0].agents.Stats()
				nodes[1].sleep(time.Second)
			}
		}
		nodes[0].register(t)
		sleep(10 * time.Second)
		nodes[1].register(t) // the hosts move
		sleep(10 * time.Second)
		for _, m := range nodes {
			m.wantListed(t, 1, 3)
		}
		for e := range nodes[1].games.All() {
			if e.Source == warzonegames.SourceText {
				nodes[1].games.Remove(e.ID)
			}
		}
		sleep(time.Second)
		for i := range nodes {
			wantRestored(t, dirs[i], i, 2*i)
		}
		sleep(gamespy1net.Expiry)
		for i, m := range nodes {
			m.wantListed(t, 0, 0)
			wantRestored(t, dirs[i], 0, 0)
		}
	})
}
