package cluster

import (
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A game server that registers at another node while the first one has not noticed that its
// connection is gone is listed once, everywhere.
func TestServerAtTwoNodesIsListedOnce(t *testing.T) {
	t.Parallel()
	at := aroundNATS(t, lasting, "north", "south", "west")
	nodes := runAll(t, at)
	set, _ := at[0].register(t, "moves")
	expect(t, soon, nodes, "bomberman moves")
	id := func(n *node) (id uint64) {
		for e := range n.bomber.Servers() {
			id = e.ID
		}
		return id
	}
	old := id(nodes[0])
	_, stop := at[1].register(t, "moves")
	until(t, soon, "listed as registered at south", func() bool {
		return id(nodes[2]) != old && id(nodes[2]) == id(nodes[1])
	})
	expect(t, soon, nodes, "bomberman moves")
	stop()
	if !suite.IsLong() {
		set(1) // otherwise north writes its entry after 30 s
	}
	until(t, soon, "listed as registered at north", func() bool {
		return id(nodes[1]) == old && id(nodes[2]) == old
	})
	expect(t, soon, nodes, "bomberman moves")
}
