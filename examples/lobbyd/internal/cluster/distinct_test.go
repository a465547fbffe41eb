package cluster

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

// A relay is a Store whose entries of other nodes come from the test.
type relay struct {
	found func(bombermannet.Entry)
	lost  func(uint64)
}

func (r *relay) Put(bombermannet.Entry) {}
func (r *relay) Remove(uint64)          {}
func (r *relay) Watch(put func(bombermannet.Entry), remove func(uint64)) (stop func()) {
	r.found, r.lost = put, remove
	return func() {}
}

// Of the entries of one game server, a node lists its own one or the latest of the others.
func TestOneEntryEach(t *testing.T) {
	from := new(relay)
	d := newDistinct(from)
	listed := []uint64{}
	d.Watch(
		func(e bombermannet.Entry) {
			if !slices.Contains(listed, e.ID) {
				listed = append(listed, e.ID)
			}
		},
		func(id uint64) { listed = lacking(listed, id) },
	)
	entry := func(id uint64, port, seen int) bombermannet.Entry {
		return bombermannet.Entry{
			ID: id, From: netip.MustParseAddrPort("192.0.2.1:50000"),
			Seen:   noon.Add(time.Duration(seen) * time.Second),
			Server: bomberman.Server{Address: "192.0.2.1", Port: port},
		}
	}
	for _, step := range []struct {
		what string
		do   func()
		want []uint64
	}{
		{"comes", func() { from.found(entry(1, 4000, 0)) }, []uint64{1}},
		{"another server", func() { from.found(entry(2, 4001, 0)) }, []uint64{1, 2}},
		{"registers elsewhere", func() { from.found(entry(3, 4000, 10)) }, []uint64{2, 3}},
		{"the first node repeats it", func() { from.found(entry(1, 4000, 30)) }, []uint64{2, 3}},
		{"an older one arrives late", func() { from.found(entry(4, 4000, 5)) }, []uint64{2, 3}},
		{"the latest goes", func() { from.lost(3) }, []uint64{2, 4}},
		{"registers here", func() { d.Put(entry(5, 4000, 40)) }, []uint64{2}},
		{"repeated here and there", func() { d.Put(entry(5, 4000, 70)); from.found(entry(4, 4000, 60)) }, []uint64{2}},
		{"becomes another server here", func() { d.Put(entry(5, 4001, 80)) }, []uint64{4}},
		{"becomes another server there", func() { from.found(entry(2, 4002, 80)) }, []uint64{4, 2}},
		{"leaves here", func() { d.Remove(5) }, []uint64{4, 2}},
		{"unknown", func() { d.Remove(6); from.lost(6) }, []uint64{4, 2}},
		{"all go", func() { from.lost(1); from.lost(2); from.lost(4) }, []uint64{}},
	} {
		step.do()
		if !slices.Equal(slices.Sorted(slices.Values(listed)), slices.Sorted(slices.Values(step.want))) {
			t.Errorf("%s: lists %d, want %d", step.what, listed, step.want)
		}
	}
	if len(d.ours)+len(d.theirs)+len(d.claims) > 0 {
		t.Errorf("keeps %v, %v, %v", d.ours, d.theirs, d.claims)
	}
}

// A game server that registers at another node while the first one has not noticed that its
// connection is gone is listed once, everywhere.
func TestRegisteredAtTwoNodes(t *testing.T) {
	t.Parallel()
	at := aroundNATS(t, time.Minute, "north", "south", "west")
	nodes := runAll(t, at)
	at[0].register(t, "moves")
	expect(t, 5*time.Second, nodes, "bomberman moves")
	id := func(n *node) (id uint64) {
		for e := range n.bomber.Servers() {
			id = e.ID
		}
		return id
	}
	old := id(nodes[0])
	at[1].register(t, "moves")
	until(t, 5*time.Second, "listed as registered at south", func() bool {
		return id(nodes[2]) != old && id(nodes[2]) == id(nodes[1])
	})
	expect(t, time.Second, nodes, "bomberman moves")
}
