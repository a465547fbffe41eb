package registry

import (
	"slices"
	"testing"
	"time"
)

// Each entry is passed on at most once a second, once for all changes in between.
func TestOutboxLimitsEachEntry(t *testing.T) {
	o := Outbox[int]{Every: time.Second, PerSecond: 100}
	last := map[int]time.Time{}
	passed := map[int]int{}
	now := start
	pass := func(e int) {
		if at := last[e]; !at.IsZero() && now.Sub(at) < time.Second {
			t.Fatalf("entry %d is passed on after %v", e, now.Sub(at))
		}
		last[e] = now
		passed[e]++
	}
	for range 1000 {
		for e := range 3 {
			if o.Offer(e, last[e], now) {
				pass(e)
			}
		}
		now = now.Add(10 * time.Millisecond)
		for _, e := range o.Due(now, func(e int) (time.Time, bool) { return last[e], true }) {
			pass(e)
		}
	}
	for e := range 3 {
		if passed[e] < 9 || passed[e] > 11 {
			t.Errorf("entry %d is passed on %d times in 10 s", e, passed[e])
		}
	}
}

// At most PerSecond entries are passed on in a second, in order. Entries that are no
// longer listed do not count.
func TestOutboxLimitsAll(t *testing.T) {
	o := Outbox[int]{Every: time.Second, PerSecond: 10}
	now := start
	var passed []int
	for e := range 100 {
		if o.Offer(e, time.Time{}, now) {
			passed = append(passed, e)
		}
	}
	if len(passed) != 10 || len(o.waiting) != 90 {
		t.Errorf("%d passed on, %d wait", len(passed), len(o.waiting))
	}
	if o.Offer(0, start.Add(-time.Hour), now) || len(o.waiting) != 91 {
		t.Error("overtakes those that wait")
	}
	state := func(e int) (time.Time, bool) { return time.Time{}, e%2 == 0 }
	if got := o.Due(now, state); len(got) != 0 || len(o.waiting) != 46 {
		t.Errorf("%d passed on at once, %d wait", got, len(o.waiting))
	}
	for range 5 {
		now = now.Add(time.Second)
		got := o.Due(now, state)
		if len(got) > 10 {
			t.Errorf("%d passed on in a second", len(got))
		}
		passed = append(passed, got...)
	}
	if len(o.waiting) != 0 || len(passed) != 56 || passed[55] != 0 || !slices.IsSorted(passed[:55]) {
		t.Errorf("%d wait, passed on: %d", len(o.waiting), passed)
	}
}

// An entry that waits for its own second does not delay new ones, which leave it half of
// the rate.
func TestOutboxPassesNewEntries(t *testing.T) {
	o := Outbox[int]{Every: time.Second, PerSecond: 10}
	if !o.Offer(0, time.Time{}, start) || o.Offer(0, start, start) {
		t.Fatal("a change within a second does not wait")
	}
	passed := 1
	for e := range 20 {
		if o.Offer(1+e, time.Time{}, start) {
			passed++
		}
	}
	if passed != 5 || len(o.waiting) != 17 {
		t.Errorf("%d passed on, %d wait, want 5 and 17", passed, len(o.waiting))
	}
}
