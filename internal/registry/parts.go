package registry

import (
	"iter"
	"slices"
)

// visitedAtOnce is the number of entries that are visited while a list is locked, which
// bounds how long others wait for it.
const visitedAtOnce = 128

// Each calls visit with the number of each entry, while the table is locked. lock
// locks it, and is called again for every [visitedAtOnce] numbers.
func (t *Table[K, V]) Each(lock func() (unlock func()), visit func(i int)) {
	none := func(i int) (e struct{}, ok bool) {
		visit(i)
		return e, false
	}
	for next, more := 0, true; more; {
		_, next, more = part(t, lock, next, none, nil)
	}
}

// EachOf is Each for the entries with some keys.
func (t *Table[K, V]) EachOf(keys []K, lock func() (unlock func()), visit func(i int)) {
	for some := range slices.Chunk(keys, visitedAtOnce) {
		unlock := lock()
		for _, k := range some {
			if i, found := t.Find(k); found {
				visit(i)
			}
		}
		unlock()
	}
}

// All calls entry with the number of each entry of a table, in no particular order, and
// yields the results that are ok. The table is locked as by Each, but not during a yield,
// so All may miss entries that are added or removed meanwhile, and yields an entry twice
// if it is removed and added again.
func All[K comparable, V, E any](t *Table[K, V], lock func() (unlock func()),
	entry func(i int) (e E, ok bool)) iter.Seq[E] {
	return func(yield func(E) bool) {
		var some []E
		for next, more := 0, true; more; {
			some, next, more = part(t, lock, next, entry, some[:0])
			for _, e := range some {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// part calls entry for the entries with numbers from i on, and appends the results to
// some. It returns the number to continue with, and whether there are more.
func part[K comparable, V, E any](t *Table[K, V], lock func() (unlock func()), i int, entry func(i int) (e E, ok bool),
	some []E) (_ []E, next int, more bool) {
	defer lock()()
	for next = min(i+visitedAtOnce, len(t.entries)); i < next; i++ {
		if !t.queue.has(i) {
			continue
		}
		if e, ok := entry(i); ok {
			some = append(some, e)
		}
	}
	return some, next, next < len(t.entries)
}
