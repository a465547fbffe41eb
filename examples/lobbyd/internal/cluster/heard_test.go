package cluster

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// A node remembers only the nodes that it has heard of lately, whatever names have come and gone
// for hours.
func TestHeardNodesOverHours(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &Cluster{self: writer{node: "self"}, link: link{heard: make(map[string]pulse)}}
		for i := range uint64(2 * 60 * 60) {
			c.hear(writer{}, i, "1", true, fmt.Sprint("pod-", i))
			c.hear(writer{}, i, "1", true, "other")
			time.Sleep(time.Second)
		}
		if got := len(c.link.heard); got > 6 {
			t.Errorf("it remembers %d nodes, %v", got, c.State().Nodes)
		}
	})
}
