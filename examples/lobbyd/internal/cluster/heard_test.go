package cluster

import (
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A node remembers only recently heard nodes, whatever names have come and gone for hours.
func TestUnheardNodesAreForgotten(t *testing.T) {
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

// Only this process's own pulse in the current watch connects a node, whatever others write under
// its name.
func TestForgedPulsesConnectNobody(t *testing.T) {
	self := writer{"self", "run"}
	c := &Cluster{self: self, wake: make(chan struct{}, 1), copy: replica{generation: 7},
		options: Options{Logger: slog.New(slog.DiscardHandler)}, own: *newOutbox()}
	for _, forged := range []struct {
		by    writer
		body  string
		alive bool
	}{
		{writer{"evil", "run"}, "7", true}, {writer{"self", "before"}, "7", true}, {writer{}, "7", true},
		{self, "6", true}, {self, "8", true}, {self, "", true}, {self, "-7", true}, {self, "7", false},
	} {
		c.hear(forged.by, 1, forged.body, forged.alive, "self")
		if c.link.connected || c.isWholeLocked() {
			t.Fatalf("connected by %+v", forged)
		}
	}
	c.hear(self, 1, "7", true, "self")
	if !c.link.connected {
		t.Error("its own pulse does not connect it")
	}
}

// After Freeze the end of a host removes no entry, so the other nodes list it for a TTL.
func TestFrozenNodeRemovesNothing(t *testing.T) {
	c := &Cluster{wake: make(chan struct{}, 1), own: *newOutbox(), options: Options{TTL: time.Minute}}
	c.put("warzone.1", []byte("game"), time.Now().Add(time.Minute))
	c.Freeze()
	c.remove("warzone.1")
	c.remove("warzone.2")
	if got := keys(c.own.take(10, time.Now(), true)); !slices.Equal(got, []string{"warzone.1=game"}) {
		t.Errorf("it writes %q", got)
	}
}
