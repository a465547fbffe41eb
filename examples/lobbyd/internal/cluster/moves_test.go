package cluster

import "testing"

// A game server that registers at another node while the first one has not noticed that its
// connection is gone is listed once, everywhere.
func TestServerAtTwoNodesIsListedOnce(t *testing.T) {
	t.Parallel()
	at := aroundNATS(t, lasting, "north", "south", "west")
	nodes := runAll(t, at)
	at[0].register(t, "moves")
	expect(t, soon, nodes, "bomberman moves")
	id := func(n *node) (id uint64) {
		for e := range n.bomber.Servers() {
			id = e.ID
		}
		return id
	}
	old := id(nodes[0])
	stop := at[1].register(t, "moves")
	until(t, soon, "listed as registered at south", func() bool {
		return id(nodes[2]) != old && id(nodes[2]) == id(nodes[1])
	})
	expect(t, soon, nodes, "bomberman moves")
	stop()
	until(t, soon, "listed as registered at north", func() bool {
		return id(nodes[1]) == old && id(nodes[2]) == old
	})
	expect(t, soon, nodes, "bomberman moves")
}
