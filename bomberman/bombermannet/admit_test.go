package bombermannet_test

import (
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// banned are rules: names that are not admitted.
type banned struct{ names atomic.Pointer[[]string] }

func (b *banned) set(names ...string) { b.names.Store(&names) }

func (b *banned) admit(e bombermannet.Entry) bool {
	names := b.names.Load()
	return names == nil || !slices.Contains(*names, e.Server.Name)
}

// strictly returns a management server with rules.
func strictly(b *banned) *bombermannet.ManagementServer {
	return &bombermannet.ManagementServer{Admit: b.admit, HideUntilStats: true}
}

// expectWithheld checks the names of the game servers that are listed, as a query
// over l returns them, and of those that are withheld, as Servers returns them.
func expectWithheld(t *testing.T, m *bombermannet.ManagementServer, l *line, listed, withheld []string) {
	t.Helper()
	var sent []string
	for _, s := range l.list() { // which comes after all that l has sent
		sent = append(sent, s.Name)
	}
	if !slices.Equal(sent, listed) {
		t.Errorf("list %q, want %q", sent, listed)
	}
	var all [2][]string // listed, withheld
	for e := range m.Servers() {
		at := 0
		if e.Withheld {
			at = 1
		}
		all[at] = append(all[at], e.Server.Name)
	}
	for i, want := range [][]string{listed, withheld} {
		slices.Sort(all[i])
		if !slices.Equal(all[i], want) {
			t.Errorf("withheld %v: %q, want %q", i == 1, all[i], want)
		}
	}
	if st := m.Stats(); st.Listed != len(listed) || st.Withheld != len(withheld) {
		t.Errorf("stats %+v, want %d and %d", st, len(listed), len(withheld))
	}
}

func only(names ...string) []string { return names }

// A withheld game server is on no list, and is treated otherwise as if it were listed.
func TestWithheldServerIsOnNoList(t *testing.T) {
	for _, atOnce := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			rules := new(banned)
			rules.set("Bad", "Worse")
			m := strictly(rules)
			m.HideUntilStats, m.Limits.MaxServers = !atOnce, 2
			network := start(t, m)
			server := connect(t, network)
			server.send(register("Bad", 1))
			server.list()
			if st := m.Stats(); st.Withheld == 1 != atOnce {
				t.Errorf("listed at once %v: %+v", atOnce, st)
			}
			server.send(update(1, 4, true, 1))
			expectWithheld(t, m, server, nil, only("Bad"))

			// Its messages are handled and counted.
			server.send(update(2, 4, false, 2), update(2, 4, true, 2), register("Bad", 1))
			other := connect(t, network)
			other.send(register("Good", 2), update(1, 4, true, 1))
			expectWithheld(t, m, other, only("Good"), only("Bad"))
			full := connect(t, network)
			full.send(register("Full", 3), update(1, 4, true, 1))
			expectWithheld(t, m, full, only("Good"), only("Bad"))
			time.Sleep(time.Hour)
			expectWithheld(t, m, server, only("Good"), only("Bad"))

			// Admit decides again after each change.
			server.send(register("Better", 1), update(2, 4, false, 1))
			expectWithheld(t, m, server, only("Better", "Good"), nil)
			other.send(register("Worse", 2), update(1, 4, true, 1))
			expectWithheld(t, m, other, only("Better"), only("Worse"))
			other.send(unregister)
			expectWithheld(t, m, other, only("Better"), nil)
			other.send(register("Worse", 2), update(1, 4, true, 1))
			expectWithheld(t, m, other, only("Better"), only("Worse"))
			other.Close()
			synctest.Wait()
			expectWithheld(t, m, server, only("Better"), nil)

			st := m.Stats()
			if st.Discarded != 2 || st.Registered != 5 || st.Updated != 7 {
				t.Errorf("%+v", st)
			}
		})
	}
}

// Review applies the current rules.
func TestReviewAppliesCurrentRules(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rules := new(banned)
		m := strictly(rules)
		m.Review() // of none
		network := start(t, m)
		var open, closed []string
		for i := range 50 {
			server := connect(t, network)
			name := fmt.Sprintf("Game %02d", i)
			server.send(register(name, 1), update(1, 4, i%2 == 0, 1))
			server.list()
			if i%2 == 0 {
				open = append(open, name)
			} else {
				closed = append(closed, name)
			}
		}
		untold := connect(t, network) // which tells no stats
		untold.send(register("Game 00", 1))
		all := slices.Sorted(slices.Values(slices.Concat(open, closed)))

		expectWithheld(t, m, untold, all, nil)
		rules.set(open...)
		expectWithheld(t, m, untold, all, nil)
		m.Review()
		expectWithheld(t, m, untold, closed, open)
		rules.set(closed...)
		m.Review()
		expectWithheld(t, m, untold, open, closed)
		rules.set(all...)
		m.Review()
		expectWithheld(t, m, untold, nil, all)
		rules.set()
		m.Review()
		expectWithheld(t, m, untold, all, nil)
	})
}

// Admit is called with the current state.
func TestAdmitIsAskedOfChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		m := &bombermannet.ManagementServer{HideUntilStats: true, Admit: func(e bombermannet.Entry) bool {
			if !e.Seen.Equal(time.Now()) || e.ID == 0 || e.From.Addr() != netip.MustParseAddr("198.51.100.1") {
				t.Errorf("asked of %+v", e)
			}
			asked = append(asked, fmt.Sprintf("%s %d %v", e.Server.Name, e.Server.Players.Current, e.Withheld))
			return e.Server.Players.Current > 1
		}}
		server := connect(t, start(t, m))
		for _, message := range []string{register("A", 1), update(1, 4, true, 1), update(2, 4, true, 1),
			update(0, 4, true, 1), register("B", 1), update(1, 4, true, 1)} {
			time.Sleep(time.Second)
			server.send(message)
			server.list()
		}
		want := []string{"A 1 false", "A 2 true", "A 0 false", "B 1 false"}
		if !slices.Equal(asked, want) {
			t.Errorf("asked of %q, want %q", asked, want)
		}
	})
}

// Each node calls its own Admit for its game servers and for the servers of other nodes.
func TestEachNodeAppliesItsOwnRules(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		rules := new(banned)
		rules.set("Bad")
		strict, lax := strictly(rules), new(bombermannet.ManagementServer)
		_, dialStrict := startNode(t, h, strict)
		onLax, dialLax := startNode(t, h, lax)
		here, there := dialStrict(), dialLax()
		here.send(register("Bad", 1), update(1, 4, true, 1))
		here.list()
		there.send(register("Good", 2), update(1, 4, true, 1))
		there.list()
		expectWithheld(t, strict, here, only("Good"), only("Bad"))
		expectWithheld(t, lax, there, only("Bad", "Good"), nil)
		for _, e := range h.All() { // what one withholds the other has listed
			e.Withheld = true
			onLax.Deliver(e)
		}
		expectWithheld(t, lax, there, only("Bad", "Good"), nil)

		// A change from another node is passed to Admit, which decides the same.
		time.Sleep(time.Second)
		there.send(register("Bad", 2), update(2, 4, true, 1))
		there.list()
		time.Sleep(time.Second)
		synctest.Wait()
		expectWithheld(t, strict, here, nil, only("Bad", "Bad"))
		time.Sleep(time.Hour)
		expectWithheld(t, strict, here, nil, only("Bad", "Bad"))
		rules.set()
		strict.Review()
		expectWithheld(t, strict, here, only("Bad", "Bad"), nil)
		rules.set("Bad")
		strict.Review()

		// Withheld game servers are removed like the others.
		there.Close()
		synctest.Wait()
		expectWithheld(t, strict, here, nil, only("Bad"))
		here.send(unregister)
		expectWithheld(t, strict, here, nil, nil)
		expectWithheld(t, lax, dialLax(), nil, nil)
	})
}

// A withheld game server of a dead node stays withheld until it expires.
func TestWithheldOfADeadNodeStaysWithheld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		rules := new(banned)
		rules.set("Bad")
		m := strictly(rules)
		n, dial := startNode(t, h, m)
		n.Deliver(bombermannet.Entry{ID: 1, Server: listed("Bad", 2, 2, 4, true, 1), Seen: time.Now()})
		expectWithheld(t, m, dial(), nil, only("Bad"))
		time.Sleep(bombermannet.Expiry + 30*time.Second)
		expectWithheld(t, m, dial(), nil, nil)
	})
}

// Rules may change while game servers come and go and clients ask.
func TestReviewIsSafeForConcurrentUse(t *testing.T) {
	rules := new(banned)
	m := strictly(rules)
	m.Limits.QueryRate, m.Limits.Rate = 1<<30, 1<<30
	network := new(nettest.Streams)
	startOn(t, m, network, managementAddr)
	lines := make([]*line, 8)
	for i := range lines {
		lines[i] = connect(t, network)
	}
	var peers sync.WaitGroup
	for i, server := range lines {
		peers.Go(func() {
			for n := range 100 {
				server.Write([]byte(frame(register(fmt.Sprint("Game ", i), 1+n)) + frame(update(n%5, 4, n%2 == 0, 1)) +
					frame(query)))
				if _, err := server.payload(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, name := range slices.Repeat([]string{"Game 1", "Game 2"}, 100) {
		rules.set(name)
		m.Review()
	}
	peers.Wait()
	rules.set("Game 3")
	m.Review()
	if st := m.Stats(); st.Listed != 7 || st.Withheld != 1 {
		t.Errorf("%+v", st)
	}
	lines[0].expectList(func() (want []bomberman.Server) {
		for _, i := range []int{0, 1, 2, 4, 5, 6, 7} {
			want = append(want, listed(fmt.Sprint("Game ", i), 100, 4, 4, false, 1))
		}
		return want
	}()...)
}
