package cluster

import (
	"log/slog"
	"net/netip"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/entries"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// An update is an update of a watch.
type update struct {
	jetstream.KeyValueEntry
	key      string
	value    []byte
	revision uint64
	pending  uint64
	op       jetstream.KeyValueOp
}

func (u update) Key() string                     { return u.key }
func (u update) Value() []byte                   { return u.value }
func (u update) Revision() uint64                { return u.revision }
func (u update) Delta() uint64                   { return u.pending }
func (u update) Created() time.Time              { return time.Now() }
func (u update) Operation() jetstream.KeyValueOp { return u.op }

// A watched is a node without a bucket, whose watch a test replaces. It lists the entries of a
// family that exists in these tests only.
type watched struct {
	*Cluster
	listed   map[string]time.Time // with its floor, by ID
	revision uint64
}

const watchedTTL = time.Minute

var (
	owner = writer{node: "owner", run: "first"}
	entry = update{key: "test.1", value: owner.sign([]byte("body"))}
)

// newWatched returns a connected node that lists the entry "1" of the owner.
func newWatched() *watched {
	now := time.Now()
	w := &watched{listed: make(map[string]time.Time)}
	w.Cluster = &Cluster{
		options: Options{TTL: watchedTTL, Logger: slog.New(slog.DiscardHandler)},
		self:    writer{node: "self", run: "only"},
		wake:    make(chan struct{}, 1),
		again:   make(chan struct{}, 1),
		own:     outbox{items: make(map[string]*item)},
		copy:    replica{held: make(map[string]held), generation: 1},
		link:    link{connected: true, since: now, pulse: now, complete: 1, heard: make(map[string]pulse)},
	}
	w.sinks = map[string]*sink{"test": {
		put:    func(id string, _ []byte, floor time.Time) { w.listed[id] = floor },
		remove: func(id string) { delete(w.listed, id) },
	}}
	w.hears(owner)
	w.show(entry)
	return w
}

// show applies an update with the next revision.
func (w *watched) show(u update) {
	w.revision++
	u.revision = w.revision
	w.apply(u, w.copy.generation)
}

// hears shows a new pulse of a node.
func (w *watched) hears(by writer) {
	w.show(update{key: keyOf(nodes, by.node), value: by.sign(strconv.AppendUint(nil, w.copy.generation, 10))})
}

// run simulates a node for a time, with an event every second.
func (w *watched) run(d time.Duration, event func()) {
	for range d / time.Second {
		time.Sleep(time.Second)
		event()
		w.step(time.Now())
	}
}

// A live owner keeps its entries, although its writes are so late that they have expired in
// the bucket. Their Seen times are renewed, because masters also expire entries.
func TestEntriesOfLateOwnersStay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatched()
		alive := func() {
			w.hears(w.self)
			w.hears(owner)
		}
		w.run(watchedTTL, alive)
		w.show(update{key: "test.1"}) // it has expired
		w.run(watchedTTL, alive)
		floor, ok := w.listed["1"]
		if !ok {
			t.Fatal("it is gone")
		}
		if age := time.Since(floor); age > renewEvery {
			t.Errorf("renewed %v ago", age)
		}
		w.show(update{key: "test.1", value: owner.sign([]byte("body"))})
		w.run(watchedTTL, alive)
		if _, ok := w.listed["1"]; !ok || time.Since(w.floor) < watchedTTL-renewEvery {
			t.Errorf("written again, it is listed: %v, and renewed at %v", ok, w.floor)
		}
		w.run(maxLate*watchedTTL, alive)
		if len(w.listed) > 0 {
			t.Errorf("it stays for ever: %v", w.listed)
		}
	})
}

// An owner that is dead, has said goodbye or has been restarted does not keep its entries, even if
// a watch begins again and shows its last pulse again.
func TestEntriesOfDeadOwnersExpire(t *testing.T) {
	dead := func(*watched) {}
	for _, test := range []struct {
		name   string
		once   func(*watched)
		always func(*watched)
		within time.Duration
	}{
		{"killed", dead, dead, watchedTTL},
		{"an old pulse", dead, func(w *watched) {
			w.apply(update{key: keyOf(nodes, owner.node), value: owner.sign([]byte("1")), revision: 1}, 1)
		}, watchedTTL},
		{"goodbye", func(w *watched) {
			w.show(update{key: keyOf(nodes, owner.node), value: owner.sign(nil), op: jetstream.KeyValuePurge})
		}, dead, settle},
		{"restarted", dead, func(w *watched) { w.hears(writer{owner.node, "second"}) }, settle},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWatched()
				test.once(w)
				w.show(update{key: entry.key}) // it has expired
				w.run(test.within, func() {
					w.hears(w.self)
					test.always(w)
				})
				if len(w.listed) > 0 {
					t.Errorf("still listed after %v", test.within)
				}
			})
		})
	}
}

// A node whose own pulse does not come back, but which hears the owner or is behind with its
// reads, is not cut off, and keeps the entries. It forgets them if it hears nothing.
func TestStarvedNodesForgetNothing(t *testing.T) {
	for _, test := range []struct {
		name  string
		event func(*watched)
		stays bool
	}{
		{"hears the owner", func(w *watched) { w.hears(owner) }, true},
		{"is behind", func(w *watched) { w.show(update{key: "test.2", value: entry.value, pending: 9}) }, true},
		{"is not behind", func(w *watched) { w.show(update{key: "test.2", value: entry.value}) }, false},
		{"hears another node", func(w *watched) { w.hears(writer{"another", "first"}) }, false},
		{"hears nothing", func(*watched) {}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWatched()
				event := func() { test.event(w) }
				w.run(2*watchedTTL, event)
				if _, ok := w.listed["1"]; ok != test.stays {
					t.Errorf("listed: %v", ok)
				}
				if w.State().Connected {
					t.Error("it is connected")
				}
				w.run(maxLate*watchedTTL, event)
				if _, ok := w.listed["1"]; ok {
					t.Error("it stays for ever")
				}
			})
		})
	}
}

// A node that was frozen for ten minutes, whose clock has jumped, keeps the entries of an owner
// that it hears within the time to connect again, and drops the entries of another owner.
func TestFrozenNodesWaitForPulses(t *testing.T) {
	for _, alive := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			w := newWatched()
			time.Sleep(10 * time.Minute)
			w.step(time.Now())
			w.run(settle-time.Second, func() {})
			if len(w.listed) == 0 {
				t.Error("dropped at once")
			}
			if alive {
				w.show(entry)
				w.hears(owner)
				w.hears(w.self)
			}
			w.run(2*settle, func() {
				w.hears(w.self)
			})
			if got := len(w.listed) == 1; got != alive {
				t.Errorf("the owner is alive: %v, listed: %v", alive, got)
			}
		})
	}
}

// The entry of an owner whose clock is an hour behind is listed, and does not look older than
// an entry that is due to be repeated.
func TestWrongClocksDoNotAgeEntries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		form := entries.GameAgent()
		store := &shared[gamespy1net.Entry, netip.AddrPort]{form, newWatched().Cluster}
		for age, want := range map[time.Duration]time.Duration{
			-time.Hour:      -time.Hour, // the masters take it as now
			0:               0,
			form.Expiry / 4: form.Expiry / 4,
			time.Hour:       form.Expiry / 2,
		} {
			e := entryOf(t, 1)
			e.Seen = time.Now().Add(-age)
			body, err := form.Encode(e)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := store.decode(form.ID(e.Game), body, time.Time{})
			if !ok || time.Since(got.Seen) != want {
				t.Errorf("seen %v ago: got %v ago, %v; want %v", age, time.Since(got.Seen), ok, want)
			}
		}
	})
}
