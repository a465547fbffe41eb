package registry

import (
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"
)

// lockOf returns a lock that counts how often it is taken.
func lockOf(mu *sync.Mutex, taken *int) func() (unlock func()) {
	return func() (unlock func()) {
		mu.Lock()
		*taken++
		return mu.Unlock
	}
}

func TestPartsVisitEveryEntryOnce(t *testing.T) {
	var table Table[netip.AddrPort, int]
	var want []int
	for i := range 3*visitedAtOnce + 1 {
		add(t, &table, addr(i), start)
	}
	for i := range len(table.entries) {
		*table.Value(i) = i
		if i%3 == 0 {
			table.Remove(i)
		} else {
			want = append(want, i)
		}
	}
	var mu sync.Mutex
	var visited []int
	locks := 0
	table.Each(lockOf(&mu, &locks), func(i int) {
		if mu.TryLock() {
			t.Fatal("visits an entry of a table that is not locked")
		}
		visited = append(visited, i)
	})
	if !slices.Equal(visited, want) || locks != 4 {
		t.Errorf("visited %d of %d entries with %d locks", len(visited), len(want), locks)
	}
	all := All(&table, lockOf(&mu, &locks), func(i int) (int, bool) { return *table.Value(i), i%2 == 0 })
	want = slices.DeleteFunc(want, func(i int) bool { return i%2 != 0 })
	if got := slices.Collect(all); !slices.Equal(got, want) {
		t.Errorf("%d entries, want %d", len(got), len(want))
	}
}

// A caller may change the table while it handles an entry.
func TestAllIsNotLockedMeanwhile(t *testing.T) {
	var mu sync.Mutex
	var table Table[netip.AddrPort, int]
	locks := 0
	lock := lockOf(&mu, &locks)
	entry := func(i int) (int, bool) { return i, true }
	for i := range All(&table, lock, entry) {
		t.Errorf("entry %d of an empty table", i)
	}
	for i := range 2 * visitedAtOnce {
		add(t, &table, addr(i), start.Add(time.Hour))
	}
	handled := 0
	for i := range All(&table, lock, entry) {
		unlock := lock()
		table.Remove(i)
		unlock()
		handled++
		if handled == visitedAtOnce+1 {
			break
		}
	}
	if table.Len() != visitedAtOnce-1 {
		t.Errorf("%d entries after %d were removed", table.Len(), handled)
	}
}
