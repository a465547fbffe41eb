package cluster

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// The bucket that two of three nodes have created gets its replicas when the third arrives, and
// survives the end of the node that alone held it before.
func TestReplicasArriveLater(t *testing.T) {
	suite.Long(t, "elections")
	t.Parallel()
	at := places(t, 3, lasting)
	nodes := runAll(t, at[:2])
	nodes[0].open(t, "192.0.2.1:2100")
	expect(t, long, nodes, "warzone 192.0.2.1:2100")
	if got := replicasOf(t, nodes[0]); got != 1 {
		t.Errorf("two nodes have %d replicas", got)
	}
	nodes = append(nodes, at[2].run(t))
	nodes[2].wait(t)
	until(t, long, "three replicas", func() bool { return replicasOf(t, nodes[2]) == 3 })
	expect(t, long, nodes, "warzone 192.0.2.1:2100")
}

// A node whose server has started anew connects to it, and writes all of its entries again.
func TestNewServerGetsAllEntries(t *testing.T) {
	t.Parallel()
	at := places(t, 1, lasting)
	n := runAll(t, at)[0]
	n.open(t, "192.0.2.1:2100")
	until(t, long, "written", func() bool { s := n.State(); return s.Queued == 0 && s.Entries == 1 })
	if err := n.server.replace(); err != nil {
		t.Fatal(err)
	}
	entries := func() (all int) {
		if b, err := n.js.KeyValue(t.Context(), bucket); err == nil {
			if keys, err := b.ListKeysFiltered(t.Context(), string(catalogue.Warzone)+".*"); err == nil {
				for range keys.Keys() {
					all++
				}
			}
		}
		return all
	}
	until(t, long, "written again", func() bool { return n.State().Connected && entries() == 1 })
}

// long is much longer than an election.
const long = 10 * time.Minute

// A node lives on if NATS does not answer.
func TestReplicationNeedsAnAnswer(t *testing.T) {
	t.Parallel()
	n := runAll(t, places(t, 1, lasting))[0]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := n.replicate(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// replicasOf returns the number of replicas of the bucket.
func replicasOf(t *testing.T, n *node) int {
	t.Helper()
	replicas := 0
	until(t, long, "an answer about the bucket", func() bool {
		s, err := n.js.Stream(t.Context(), stream)
		if err == nil {
			replicas = s.CachedInfo().Config.Replicas
		}
		return err == nil
	})
	return replicas
}

// When nodes begin a new bucket, they keep listing the entries of a node that died for a TTL,
// although the bucket lacks them.
func TestNewBucketKeepsEntriesOfTheDead(t *testing.T) {
	t.Parallel()
	const ttl = time.Hour
	at := aroundNATS(t, ttl, "north", "south")
	nodes := runAll(t, at)
	nodes[0].open(t, "192.0.2.1:2100")
	nodes[1].open(t, "192.0.2.2:2100")
	all := []string{"warzone 192.0.2.1:2100", "warzone 192.0.2.2:2100"}
	expect(t, long, nodes, all...)

	south := nodes[1]
	south.stop() // as if it were killed
	if err := nodes[0].js.DeleteKeyValue(t.Context(), bucket); err != nil {
		t.Fatal(err)
	}
	nodes[0].cutOff(t, 0)
	until(t, long, "connected to a new bucket", func() bool { return nodes[0].State().Connected })
	later := time.Now().Add(ttl / 2)
	nodes[0].sweep(later)
	expect(t, 0, nodes[:1], all...)
	nodes[0].sweep(later.Add(ttl))
	expect(t, 0, nodes[:1], all[0])
}
