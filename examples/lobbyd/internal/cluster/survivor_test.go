package cluster

import (
	"slices"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// The survivor of two nodes lists the entries of the other node until they expire, and
// its own as long as they live.
func TestSurvivorOfTwoKeepsItsEntries(t *testing.T) {
	suite.Long(t, "elections")
	t.Parallel()
	at := places(t, 2, shortTTL)
	kill := startChild(t, at[0])
	n := at[1].run(t)
	n.open(t, "192.0.2.2:2100")
	own := []string{"warzone 192.0.2.2:2100"}
	expect(t, soon, []*node{n}, append(own, "warzone child")...)

	kill()
	if list := n.listed(); len(list) != 2 {
		t.Errorf("at once it lists %q", list)
	}
	took := until(t, 3*shortTTL, "gone", func() bool { return slices.Equal(n.listed(), own) })
	t.Logf("gone after %v, connected %v", took, n.State().Connected)
	n.open(t, "192.0.2.3:2100")
	expect(t, soon, []*node{n}, append(own, "warzone 192.0.2.3:2100")...)
}
