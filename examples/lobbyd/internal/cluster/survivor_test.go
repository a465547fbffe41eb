package cluster

import (
	"slices"
	"testing"
	"time"
)

// The survivor of two nodes, which can elect no leader, lists the entries of the other one
// until they expire, and its own for as long as they live.
func TestSurvivorOfTwo(t *testing.T) {
	takesElections(t)
	t.Parallel()
	const ttl = 5 * time.Second
	at := places(t, 2, ttl)
	kill := startChild(t, at[0])
	n := at[1].run(t)
	n.open(t, "192.0.2.2:2100")
	own := []string{"warzone 192.0.2.2:2100"}
	expect(t, 20*time.Second, []*node{n}, append(own, "warzone child")...)

	kill()
	until(t, 10*time.Second, "cut off", func() bool { return !n.State().Connected })
	if list := n.listed(); len(list) != 2 {
		t.Errorf("cut off, it lists %q", list)
	}
	took := until(t, 4*ttl, "gone", func() bool { return slices.Equal(n.listed(), own) })
	t.Logf("gone %v after the node was cut off", took)
	n.open(t, "192.0.2.3:2100")
	expect(t, time.Second, []*node{n}, append(own, "warzone 192.0.2.3:2100")...)
}
