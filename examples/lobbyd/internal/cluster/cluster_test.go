package cluster

import (
	"slices"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// Three nodes share their lists, are disconnected, and agree again once they are
// reconnected.
func TestThreeNodesAgreeAfterReconnecting(t *testing.T) {
	suite.Long(t, "elections")
	t.Parallel()
	at := places(t, 3, lasting)
	cut := behindProxies(t, at)
	nodes := runAll(t, at)
	a, b, c := nodes[0], nodes[1], nodes[2]

	t.Run("share", func(t *testing.T) {
		id := a.open(t, "192.0.2.1:2100")
		t.Logf("listed on B and C after %v", expect(t, soon, []*node{b, c}, "warzone 192.0.2.1:2100"))
		a.enlist(t, "192.0.2.2:25600")
		_, stop := at[0].register(t, "first")
		first := []string{"warzone 192.0.2.1:2100", "gameagent 192.0.2.2:25600", "bomberman first"}
		until(t, soon, "listed on A", func() bool { return len(a.listed()) == 3 })
		expect(t, soon, []*node{b, c}, first...)
		if e, ok := c.games.FindID(id); !ok || e.Game.HostName != "J\xfcrgen" {
			t.Errorf("got %+v, %v", e, ok)
		}
		if a.Origin(catalogue.GameAgent, "192.0.2.2:25600") != "" ||
			b.Origin(catalogue.GameAgent, "192.0.2.2:25600") != "node0" {
			t.Error("whose an entry is, is not known")
		}

		// The game server changes to another master, which becomes the owner of its
		// entry.
		b.enlist(t, "192.0.2.2:25600")
		until(t, soon, "taken over", func() bool {
			return a.Origin(catalogue.GameAgent, "192.0.2.2:25600") == "node1"
		})
		a.games.Remove(id)
		stop()
		expect(t, soon, nodes, "gameagent 192.0.2.2:25600")
	})
	if t.Failed() {
		return
	}

	before := []string{"warzone 192.0.2.1:2100", "warzone 192.0.2.2:2100", "warzone 192.0.2.3:2100",
		"gameagent 192.0.2.2:25600"}
	for i, n := range nodes {
		n.open(t, before[i][len("warzone "):])
	}
	goes := b.open(t, "192.0.2.9:2100")
	expect(t, soon, nodes, append(before, "warzone 192.0.2.9:2100")...)

	began := time.Now()
	cut(0, true)
	took := until(t, soon, "cut off", func() bool { return !a.State().Connected })
	t.Logf("says that it is cut off after %v", took)
	b.games.Remove(goes)
	b.open(t, "192.0.2.4:2100")
	a.open(t, "192.0.2.5:2100")
	expect(t, soon, nodes[:1], append(before, "warzone 192.0.2.9:2100", "warzone 192.0.2.5:2100")...)
	took = expect(t, 30*time.Second, nodes[1:], append(before, "warzone 192.0.2.4:2100")...)
	t.Logf("the others agree after %v", took)
	until(t, soon, "sees no other node", func() bool { return slices.Equal(a.State().Nodes, []string{"node0"}) })
	if s := a.State(); s.Connected || s.Queued == 0 || began.Sub(s.Since) > soon {
		t.Errorf("state %+v", s)
	}

	cut(0, false)
	took = until(t, 30*time.Second, "back", func() bool { return a.State().Connected })
	took += expect(t, soon, nodes, append(before, "warzone 192.0.2.4:2100", "warzone 192.0.2.5:2100")...)
	t.Logf("all agree %v after there is a way again", took)
	until(t, soon, "knows all", func() bool {
		s := c.State()
		return s.Connected && s.Queued == 0 && s.Entries == 6 && len(s.Nodes) == 3
	})
}

// A single node works alone.
func TestOneNodeWorksAlone(t *testing.T) {
	t.Parallel()
	at := places(t, 1, lasting)
	n := runAll(t, at)[0]
	n.open(t, "192.0.2.1:2100")
	until(t, soon, "written",
		func() bool { s := n.State(); return s.Connected && s.Queued == 0 && s.Entries == 1 })
	if err := n.end(10 * time.Second); err != nil {
		t.Error(err)
	}
}

func TestWrongOptionsAreRefused(t *testing.T) {
	for name, o := range map[string]Options{
		"name":            {Name: "a.b"},
		"TTL":             {TTL: time.Millisecond},
		"elsewhere":       {URL: "nats://127.0.0.1", Cluster: "127.0.0.1:6222", Peers: []string{"127.0.0.1:6223"}},
		"no peers":        {Cluster: "127.0.0.1:6222"},
		"nowhere to meet": {Peers: []string{"127.0.0.1:6222"}},
		"only itself":     {Cluster: "127.0.0.1:6222", Peers: []string{"127.0.0.1:6222"}},
		"no port":         {Listen: "127.0.0.1"},
		"port":            {Cluster: "127.0.0.1:0", Peers: []string{"127.0.0.1:6222"}},
		"peer's port":     {Cluster: "127.0.0.1:6222", Peers: []string{"127.0.0.1:70000"}},
	} {
		if c, err := Open(t.Context(), o); err == nil {
			t.Errorf("%s is accepted", name)
			c.Close(t.Context())
		}
	}
}

// A node that was frozen for longer than the TTL keeps listing the entries of the others,
// because it hears from them at once.
func TestFrozenNodeKeepsOtherEntries(t *testing.T) {
	t.Parallel()
	const ttl = time.Minute
	nodes := runAll(t, aroundNATS(t, ttl, "north", "south"))
	nodes[0].open(t, "192.0.2.1:2100")
	nodes[1].open(t, "192.0.2.2:2100")
	all := []string{"warzone 192.0.2.1:2100", "warzone 192.0.2.2:2100"}
	expect(t, soon, nodes, all...)

	frozen := nodes[0]
	frozen.cutOff(t, 2*ttl)
	until(t, soon, "connected", func() bool {
		if got := frozen.listed(); !slices.Equal(got, all) {
			t.Fatalf("listed %q", got)
		}
		return frozen.State().Connected
	})
	expect(t, 0, nodes, all...)
}

// A node that has forgotten the entries of the others lists them again as soon as it is
// connected.
func TestForgottenEntriesReturn(t *testing.T) {
	t.Parallel()
	nodes := runAll(t, aroundNATS(t, lasting, "north", "south"))
	nodes[1].open(t, "192.0.2.2:2100")
	expect(t, soon, nodes, "warzone 192.0.2.2:2100")

	nodes[0].cutOff(t, 0)
	nodes[0].forget(time.Now().Add(lasting))
	until(t, soon, "connected", func() bool { return nodes[0].State().Connected })
	expect(t, 0, nodes, "warzone 192.0.2.2:2100")
}

// cutOff makes a node find that it has been cut off for a time.
func (n *node) cutOff(t *testing.T, since time.Duration) {
	t.Helper()
	until(t, soon, "cut off", func() bool {
		n.mu.Lock()
		n.link.pulse = time.Now().Add(-since - 2*patience)
		n.mu.Unlock()
		n.step(time.Now())
		return !n.State().Connected
	})
}
