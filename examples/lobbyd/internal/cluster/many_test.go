package cluster

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// many is the default limit of entries of a master.
const many = 100_000

// As many entries as a master can list arrive at the masters of the other nodes.
func TestManyEntriesArrive(t *testing.T) {
	suite.Long(t, "elections")
	// Not in parallel: it would delay elections in other tests. The TTL is long enough
	// that no entry is written twice during the test.
	nodes := runAll(t, places(t, 3, time.Hour))
	a, others := nodes[0].GameAgent(), nodes[1:]
	begin := time.Now()
	for i := range many {
		e := entryOf(t, i)
		e.Seen = e.Seen.Add(time.Hour) // so that none expires, however long it takes
		a.Put(e)
	}
	took := until(t, long, "written", func() bool { return nodes[0].State().Queued == 0 })
	t.Logf("%d entries taken in %v, written in %v: %.0f a second", many, time.Since(begin)-took, took,
		many/took.Seconds())
	for _, n := range others {
		took := until(t, long, "listed", func() bool { return n.master.Stats().Listed == many })
		t.Logf("%s lists them %v later", n.Node(), took)
	}
	if s := nodes[0].State(); s.Dropped > 0 || s.Entries != many {
		t.Errorf("state %+v", s)
	}
	if got := others[0].Origin("gameagent", entryOf(t, 7).Game.String()); got != "node0" {
		t.Errorf("from %q", got)
	}
}

// entryOf returns the game server with a number.
func entryOf(t testing.TB, i int) gamespy1net.Entry {
	b, err := gameagent.Heartbeat{Challenge: 7, Players: new(i % 9), MaxPlayers: new(8),
		Level: fmt.Sprint("Level ", i)}.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	addr := netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
	return gamespy1net.Entry{Game: netip.AddrPortFrom(addr, 25600), Seen: time.Now(), Heartbeat: string(b)}
}
