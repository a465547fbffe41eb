package cluster

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func newOutbox() *outbox { return &outbox{items: make(map[string]*item)} }

// keys returns the keys of the next writes.
func keys(all []write) (keys []string) {
	for _, w := range all {
		keys = append(keys, fmt.Sprintf("%s=%s", w.key, w.body))
	}
	return keys
}

// Only the last value of each key is written, in the order of the first set of each key.
func TestOutboxCoalesces(t *testing.T) {
	o := newOutbox()
	for i := range 1000 {
		o.set("a", writer{}, fmt.Append(nil, i), noon.Add(time.Hour))
		o.set("b", writer{}, nil, noon.Add(time.Hour))
	}
	if got := keys(o.take(10, noon, true)); !slices.Equal(got, []string{"a=999", "b="}) {
		t.Errorf("got %q", got)
	}
	if got := o.take(10, noon, true); len(got) > 0 {
		t.Errorf("again: %q", keys(got))
	}
}

func TestOutboxTriesAgain(t *testing.T) {
	o := newOutbox()
	o.set("a", writer{}, []byte("1"), noon.Add(time.Hour))
	o.set("b", writer{}, nil, noon.Add(time.Hour))
	batch := o.take(10, noon, true)
	o.set("a", writer{}, []byte("2"), noon.Add(time.Hour)) // during the first write
	o.done(batch[0], 7, nil, noon)
	o.done(batch[1], 0, errors.New("no leader"), noon)
	batch = o.take(10, noon, true)
	if got := keys(batch); !slices.Equal(got, []string{"a=2", "b="}) {
		t.Errorf("got %q", got)
	}
	for _, w := range batch {
		o.done(w, 8, nil, noon)
	}
	if len(o.items) != 1 || o.live != 1 || o.items["a"] == nil || o.writing != 0 {
		t.Errorf("left: %+v", o)
	}
}

// An item that is not set again is refreshed until it expires.
func TestOutboxRefreshes(t *testing.T) {
	o := newOutbox()
	o.set("a", writer{}, []byte("1"), noon.Add(time.Minute))
	o.done(o.take(1, noon, true)[0], 1, nil, noon)
	for _, step := range []struct {
		after time.Duration
		want  []string
	}{
		{10 * time.Second, nil},
		{30 * time.Second, []string{"a=1"}},
		{40 * time.Second, nil},
		{60 * time.Second, []string{"a=1"}},
		{61 * time.Second, []string{"a="}},
		{100 * time.Second, nil},
	} {
		now := noon.Add(step.after)
		o.refresh(now, 30*time.Second)
		batch := o.take(10, noon, true)
		if diff := cmp.Diff(step.want, keys(batch)); diff != "" {
			t.Errorf("after %v:\n%s", step.after, diff)
		}
		for _, w := range batch {
			o.done(w, 2, nil, now)
		}
	}
}

func TestOutboxIsBounded(t *testing.T) {
	t.Parallel()
	o := newOutbox()
	for i := range maxItems + 10 {
		o.set(fmt.Sprint(i), writer{}, []byte("1"), noon)
	}
	o.set("0", writer{}, []byte("2"), noon)
	if o.dropped != 10 || len(o.items) != maxItems {
		t.Errorf("%d dropped of %d", o.dropped, len(o.items))
	}
}

// If two nodes write a key, the last writer becomes its owner.
func TestOutboxYields(t *testing.T) {
	o, other := newOutbox(), writer{"node1", "run"}
	o.set("a", writer{}, []byte("1"), noon)
	if o.yield("a", other, 5, noon) {
		t.Error("what is yet to be written is lost")
	}
	batch := o.take(1, noon, true)
	if o.yield("a", other, 5, noon) {
		t.Error("what is being written is lost")
	}
	o.done(batch[0], 6, nil, noon)
	if o.yield("a", other, 5, noon) {
		t.Error("what was written later is lost")
	}
	if !o.yield("a", other, 7, noon) || len(o.items) > 0 {
		t.Error("what another has written is kept")
	}
	if !o.yield("b", other, 1, noon) {
		t.Error("what another has alone is not believed")
	}
}

// While a node does not know what others have written, it writes only news, and that only until it
// expires.
func TestOutboxWaits(t *testing.T) {
	o := newOutbox()
	o.set("a", writer{}, []byte("1"), noon.Add(time.Minute))
	o.done(o.take(1, noon, true)[0], 1, nil, noon)
	o.refresh(noon.Add(30*time.Second), 30*time.Second)
	o.set("b", writer{}, []byte("2"), noon.Add(time.Minute))
	o.set("c", writer{}, nil, noon.Add(time.Minute))
	batch := o.take(10, noon.Add(30*time.Second), false)
	if got := keys(batch); !slices.Equal(got, []string{"b=2", "c="}) {
		t.Errorf("got %q", got)
	}
	for _, w := range batch {
		o.done(w, 0, errors.New("no leader"), noon)
	}
	late := noon.Add(2 * time.Minute)
	if got := keys(o.take(10, late, false)); len(got) > 0 {
		t.Errorf("writes %q, which has expired", got)
	}
	other := writer{"node1", "run"}
	for _, key := range []string{"a", "b", "c"} {
		if !o.yield(key, other, 7, late) {
			t.Errorf("%s of another node does not count", key)
		}
	}
	o.refresh(late, 30*time.Second)
	if got := keys(o.take(10, late, true)); len(got) > 0 || o.live != 0 || len(o.items) > 0 {
		t.Errorf("writes %q, which lives elsewhere; left: %+v", got, o)
	}
}

// An adopted item stays when this node refreshes it with the signature of its writer.
func TestOutboxAdopts(t *testing.T) {
	o, earlier := newOutbox(), writer{"node0", "before"}
	for range 2 {
		o.adopt("a", item{by: earlier, body: []byte("1"), until: noon.Add(time.Hour), written: noon})
	}
	o.refresh(noon.Add(10*time.Second), 30*time.Second)
	if got := o.take(1, noon, true); len(got) > 0 || o.live != 1 {
		t.Errorf("too soon: %q, %d", keys(got), o.live)
	}
	o.refresh(noon.Add(30*time.Second), 30*time.Second)
	batch := o.take(1, noon, true)
	if len(batch) != 1 || batch[0].by != earlier || !o.yield("a", earlier, 7, noon) || o.items["a"] == nil {
		t.Errorf("got %+v of %+v", batch, o)
	}
}
