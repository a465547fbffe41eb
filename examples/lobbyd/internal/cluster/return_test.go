package cluster

import (
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A node that was cut off until one of its entries had expired does not write the entry if another
// node owns it by then.
func TestReturningNodeLeavesMovedEntries(t *testing.T) {
	suite.Long(t, "two TTLs")
	t.Parallel()
	at := aroundNATS(t, 3*time.Second, "north", "south")
	way := newProxy(t, strings.TrimPrefix(at[0].options.URL, "nats://"))
	at[0].options.URL = "nats://" + way.listener.Addr().String()
	nodes := runAll(t, at)
	north, south := nodes[0], nodes[1]
	const key = "gameagent.192-0-2-1-25600"
	body := func(n *node, key string) string {
		n.mu.Lock()
		defer n.mu.Unlock()
		if i := n.own.items[key]; i != nil {
			return string(i.body)
		}
		return string(n.copy.held[key].body)
	}
	end := time.Now().Add(6 * time.Second)
	north.put(key, []byte("north"), end)
	until(t, long, "shared", func() bool { return body(south, key) == "north" })

	way.set(true)
	until(t, long, "cut off", func() bool { return !north.State().Connected })
	south.put(key, []byte("south"), time.Now().Add(time.Hour))
	until(t, long, "expired", func() bool { return time.Now().After(end) })
	way.set(false)
	until(t, long, "back", func() bool { return north.step(time.Now()) })

	// What north writes of the entry is written before this.
	north.put("gameagent.other", []byte("later"), time.Now().Add(time.Hour))
	until(t, long, "shared", func() bool { return body(south, "gameagent.other") == "later" })
	for _, n := range nodes {
		if got := body(n, key); got != "south" {
			t.Errorf("%s has %q", n.Node(), got)
		}
	}
}
