package cluster

import (
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// The game of a proposal, whose host may be silent for minutes, outlives a restart of its
// node, and expires at the same time as without the restart.
func TestProposalOutlivesRestart(t *testing.T) {
	suite.Long(t, "six TTLs")
	t.Parallel()
	const ttl = 5 * time.Second
	at := aroundNATS(t, ttl, "north", "south")
	nodes := runAll(t, at)
	const life = 6 * ttl
	e := warzonegames.Entry{
		Key: netip.MustParseAddrPort("192.0.2.1:2100"), Game: game("proposal"), Source: warzonegames.SourceText,
		Expires: time.Now().Add(life),
	}
	if _, err := nodes[0].games.Add(e); err != nil {
		t.Fatal(err)
	}
	nodes[1].open(t, "192.0.2.2:2100")
	both := []string{"warzone proposal", "warzone 192.0.2.2:2100"}
	expect(t, soon, nodes, both...)

	if err := nodes[0].end(10 * time.Second); err != nil {
		t.Fatal(err)
	}
	nodes[0] = at[0].run(t)
	nodes[0].wait(t)
	for _, n := range nodes {
		until(t, life, "at the end of the game", func() bool {
			got := n.listed()
			if time.Until(e.Expires) > time.Second && len(got) < len(both) {
				t.Fatalf("%s lists only %q, %v before the end", n.Node(), got, time.Until(e.Expires))
			}
			return time.Now().After(e.Expires)
		})
	}
	expect(t, 2*ttl, nodes, "warzone 192.0.2.2:2100")
}
