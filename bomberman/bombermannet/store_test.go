package bombermannet_test

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/internal/test/laws"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A hub joins the Stores of management servers.
type (
	hub  = laws.Hub[bombermannet.Entry, uint64]
	node = laws.Node[bombermannet.Entry, uint64]
)

func newHub() *hub {
	return &hub{Key: func(e bombermannet.Entry) uint64 { return e.ID }}
}

// startNode starts a management server that shares its list through a hub, and returns
// a function that connects to it.
func startNode(t *testing.T, h *hub, m *bombermannet.ManagementServer) (*node, func() *line) {
	t.Helper()
	n := h.Node()
	m.Store = n
	network := start(t, m)
	synctest.Wait() // it watches
	return n, func() *line { return connect(t, network) }
}

func TestStoreSharesTheList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		a := &bombermannet.ManagementServer{HideUntilStats: true}
		b, late := new(bombermannet.ManagementServer), new(bombermannet.ManagementServer)
		onA, dialA := startNode(t, h, a)
		_, dialB := startNode(t, h, b)
		first, second := dialA(), dialB()
		first.send(register("A", 1))
		first.list()
		if len(onA.Puts()) != 0 {
			t.Error("told of one that is not listed")
		}
		first.send(update(1, 4, true, 1))
		first.list()
		second.send(register("B", 2), update(2, 4, false, 1))
		second.list()
		time.Sleep(time.Second)
		synctest.Wait()
		all := []bomberman.Server{listed("A", 1, 1, 4, true, 1), listed("B", 2, 2, 4, false, 1)}
		second.expectList(all...)
		first.expectList(all...)

		// A node that starts later receives the list and keeps it.
		time.Sleep(time.Hour)
		_, dialLate := startNode(t, h, late)
		third := dialLate()
		third.expectList(all...)
		time.Sleep(time.Minute)
		third.expectList(all...)
		for e := range late.Servers() {
			if e.From.Addr() != netip.MustParseAddr("198.51.100.1") || time.Since(e.Seen) > 30*time.Second {
				t.Errorf("got %+v", e)
			}
		}

		// Changes and removals reach all nodes.
		time.Sleep(time.Second)
		first.send(update(3, 3, false, 2))
		first.list()
		third.expectList(listed("A", 1, 3, 3, false, 2), listed("B", 2, 2, 4, false, 1))
		first.send(register("C", 1))
		first.list()
		third.expectList(listed("B", 2, 2, 4, false, 1))
		first.send(update(3, 3, false, 2))
		first.list()
		second.Close()
		time.Sleep(time.Second)
		synctest.Wait()
		third.expectList(listed("C", 1, 3, 3, false, 2))

		// Shutdown removes the game servers of a node.
		if err := a.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		third.expectList()
	})
}

// The game servers of a dead node stay listed until they expire.
func TestGamesOfADeadNodeStayUntilTheyExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		a, b := new(bombermannet.ManagementServer), new(bombermannet.ManagementServer)
		onA, dialA := startNode(t, h, a)
		onB, dialB := startNode(t, h, b)
		server := dialA()
		server.send(register("A", 1), update(1, 4, true, 1))
		server.list()
		time.Sleep(time.Second)
		synctest.Wait()
		onA.Die()
		time.Sleep(bombermannet.Expiry - time.Second)
		dialB().expectList(listed("A", 1, 1, 4, true, 1))
		time.Sleep(30 * time.Second)
		dialB().expectList()
		if len(onB.Expired()) != 1 || len(onA.Expired()) != 0 {
			t.Errorf("expired at the other node: %d, at its own: %d", len(onB.Expired()), len(onA.Expired()))
		}
	})
}

// A game server that connects to another node when its own has died is listed once, although
// the dead node has not removed it. One at another address is not affected.
func TestGameThatLeavesADeadNodeIsListedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		onA, dialA := startNode(t, h, new(bombermannet.ManagementServer))
		_, dialB := startNode(t, h, new(bombermannet.ManagementServer))
		_, dialC := startNode(t, h, new(bombermannet.ManagementServer))
		for port := range 2 {
			server := dialA()
			server.send(register("A", port+1), update(1, 4, true, 1))
			server.list()
		}
		time.Sleep(time.Second)
		synctest.Wait()
		onA.Die()
		both := []bomberman.Server{listed("A", 1, 1, 4, true, 1), listed("A", 2, 1, 4, true, 1)}
		dialB().expectList(both...)
		returned := dialB()
		returned.send(register("A", 1), update(1, 4, true, 1))
		returned.expectList(both...)
		time.Sleep(2 * time.Second)
		dialC().expectList(both[1], both[0])
		time.Sleep(bombermannet.Expiry + time.Minute)
		dialB().expectList(both[0])
	})
}

// A game server that connects again after a restart of its node, and then leaves, has left: its
// entry from before the restart is not listed again. One that has not connected again stays.
func TestGameThatLeavesAfterARestartHasLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		before, dialBefore := startNode(t, h, new(bombermannet.ManagementServer))
		for port := range 2 {
			server := dialBefore()
			server.send(register("A", port+1), update(1, 4, true, 1))
			server.list()
		}
		time.Sleep(time.Second)
		synctest.Wait()
		before.Die()
		_, dial := startNode(t, h, new(bombermannet.ManagementServer))
		expect := func(from *line, want ...int) {
			t.Helper()
			var ports []int
			for _, s := range from.list() {
				ports = append(ports, s.Port)
			}
			slices.Sort(ports)
			if !slices.Equal(ports, want) {
				t.Errorf("lists the ports %v, want %v", ports, want)
			}
		}
		expect(dial(), 1, 2)
		time.Sleep(time.Second)
		returned := dial()
		returned.send(register("A", 1), update(1, 4, true, 1))
		expect(returned, 1, 2)
		returned.Close()
		synctest.Wait()
		expect(dial(), 2)
	})
}

// Of the entries of one endpoint, a node lists its own or the latest of the others.
func TestEachEndpointHasOneEntry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, dial := startNode(t, newHub(), new(bombermannet.ManagementServer))
		var own *line
		var from netip.AddrPort // of own
		connects := func(port int) {
			own = dial()
			own.send(register("own", port), update(1, 4, true, 1))
			own.list()
			puts := n.Puts()
			from = puts[len(puts)-1].From
		}
		connects(4009)
		start := time.Now()
		// The name of an entry is its ID.
		put := func(id uint64, port, seen int) {
			s := listed("A", port, 1, 4, true, 1)
			s.Name = fmt.Sprint(id)
			n.Deliver(bombermannet.Entry{
				ID: id, Server: s, From: netip.AddrPortFrom(from.Addr(), 50_000),
				Seen: start.Add(time.Duration(seen) * time.Second),
			})
		}
		for _, step := range []struct {
			what string
			do   func()
			want []string
		}{
			{"comes", func() { put(1, 4000, 0) }, []string{"1"}},
			{"another server", func() { put(2, 4001, 0) }, []string{"1", "2"}},
			{"connects to another node", func() { put(3, 4000, 10) }, []string{"2", "3"}},
			{"the first node repeats it", func() { put(1, 4000, 30) }, []string{"2", "3"}},
			{"an older one arrives late", func() { put(4, 4000, 5) }, []string{"2", "3"}},
			{"the latest goes", func() { n.Forget(3) }, []string{"2", "4"}},
			{"connects here", func() { connects(4000) }, []string{"2", "own"}},
			{"repeated there", func() { put(4, 4000, 45) }, []string{"2", "own"}},
			{"becomes another server there", func() { put(2, 4002, 50) }, []string{"2", "own"}},
			{"leaves here", func() { own.Close() }, []string{"2", "4"}},
			{"moves to its endpoint", func() { put(2, 4000, 55) }, []string{"2"}},
			{"moves away again", func() { put(2, 4003, 58) }, []string{"2", "4"}},
			{"unknown", func() { n.Forget(6) }, []string{"2", "4"}},
			{"all but a hidden one go", func() { n.Forget(2); n.Forget(4) }, []string{"1"}},
			{"all go", func() { n.Forget(1) }, nil},
		} {
			time.Sleep(5 * time.Second)
			step.do()
			synctest.Wait()
			var names []string
			for _, s := range dial().list() {
				if s.Port != 4009 {
					names = append(names, s.Name)
				}
			}
			slices.Sort(names)
			if !slices.Equal(names, step.want) {
				t.Errorf("%s: lists %q, want %q", step.what, names, step.want)
			}
		}
	})
}

// Entries from a Store are checked as registrations are, and cannot change the game
// servers of this node.
func TestStoreIsNotTrusted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		m := &bombermannet.ManagementServer{Limits: bombermannet.ManagementServerLimits{MaxServers: 4}}
		n, dial := startNode(t, h, m)
		server := dial()
		server.send(register("A", 1), update(1, 4, true, 1))
		server.list()
		own := slices.Collect(maps.Keys(h.All()))[0]

		good := listed("B", 2, 2, 4, true, 1)
		put := func(id uint64, age time.Duration, change func(s *bomberman.Server)) {
			s := good
			change(&s)
			n.Deliver(bombermannet.Entry{ID: id, Server: s, Seen: time.Now().Add(-age)})
		}
		put(own, 0, func(*bomberman.Server) {})
		n.Forget(own)
		put(1, 2*bombermannet.Expiry, func(*bomberman.Server) {})
		put(1, 0, func(s *bomberman.Server) { s.Name = "" })
		put(1, 0, func(s *bomberman.Server) { s.Players.Max = 9 })
		put(1, 0, func(s *bomberman.Server) { s.Name = string(make([]byte, 1000)) })
		server.expectList(listed("A", 1, 1, 4, true, 1))

		put(2, 0, func(*bomberman.Server) {})
		put(2, time.Second, func(s *bomberman.Server) { s.Name = "older" })
		put(3, -time.Hour, func(s *bomberman.Server) { s.Name = "C" })
		put(4, 0, func(s *bomberman.Server) { s.Name = "D" })
		put(5, 0, func(s *bomberman.Server) { s.Name = "one too many" })
		n.Forget(6)
		n.Forget(4)
		other := dial()
		other.send(register("E", 5), update(5, 4, true, 1))
		other.list()
		full := dial()
		full.send(register("F", 6), update(6, 4, true, 1))
		full.list()
		server.expectList(listed("A", 1, 1, 4, true, 1), good, listed("C", 2, 2, 4, true, 1),
			listed("E", 5, 5, 4, true, 1))

		// C does not stay listed longer because the clock of its node is ahead.
		time.Sleep(bombermannet.Expiry + 30*time.Second)
		server.expectList(listed("A", 1, 1, 4, true, 1), listed("E", 5, 5, 4, true, 1))
	})
}

// The Store receives each server again at intervals. More listeners, started at
// other times, do not make that more frequent.
func TestStoreIsToldOfWhatIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, n, network := new(bombermannet.ManagementServer), newHub().Node(), new(nettest.Streams)
		m.Store = n
		startOn(t, m, network, managementAddr)
		time.Sleep(20 * time.Second)
		startOn(t, m, network, netip.MustParseAddrPort("[2001:db8::1]:51963"))
		server := connect(t, network)
		server.send(register("A", 1), update(1, 4, true, 1))
		server.list()
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if got := len(n.Puts()); got < 1+19 || got > 1+21 {
			t.Errorf("told %d times", got)
		}
	})
}

// However fast game servers change, the Store receives each at most once a second,
// with the latest state, and no state twice except in the repetitions.
func TestStoreIsPaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := new(bombermannet.ManagementServer)
		h := newHub()
		n, dial := startNode(t, h, m)
		busy, idle, restless := dial(), dial(), dial()
		for i := range 500 {
			busy.send(update(i, 4, true, 1))
			if i == 0 {
				busy.send(register("Busy", 1))
				idle.send(register("Idle", 2))
			}
			idle.send(update(1, 4, true, 1))
			restless.send(register("Restless", 3), update(1, 4, true, 1), unregister)
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(30 * time.Second)
		synctest.Wait()
		puts := map[string]int{}
		for _, e := range n.Puts() {
			puts[e.Server.Name]++
		}
		removed := len(n.Removed())
		t.Logf("%v, removed %d times", puts, removed)
		if puts["Busy"] < 5 || puts["Busy"] > 40 || puts["Idle"] > 3 || puts["Restless"] > 40 ||
			removed > puts["Restless"] {
			t.Errorf("put %v times, removed %d", puts, removed)
		}
		for e := range m.Servers() {
			if e.Server.Name == "Busy" &&
				(e.Server.Players.Current != 499 || h.All()[e.ID].Server.Players.Current != 499) {
				t.Errorf("the last state is %+v, in the Store %+v", e, h.All()[e.ID])
			}
		}
	})
}

// The Store receives at most 1000 entries a second in total, and in the end all of them.
func TestStoreIsPacedInTotal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &bombermannet.ManagementServer{HideUntilStats: true}
		m.Limits.MaxPerAddress, m.Limits.MaxPerPrefix = 10_000, 10_000
		n, dial := startNode(t, newHub(), m)
		for i := range 2500 {
			dial().send(register(fmt.Sprint(i), 1), update(1, 4, true, 1))
		}
		for i, want := range []int{1000, 2000, 2500} {
			synctest.Wait()
			if got := len(n.Puts()); got != want {
				t.Errorf("after %d s: %d, want %d", i, got, want)
			}
			time.Sleep(time.Second)
		}
	})
}
