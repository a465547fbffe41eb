package registry

import "iter"

// Numbers of entries that are visited while a list is locked, which bounds how long
// others wait for it.
const (
	visitedAtOnce = 256
	yieldedAtOnce = 64
)

// Each calls visit with the number of each entry, while the table is locked. lock
// locks it, and is called again for every few hundred entries.
func (t *Table[V]) Each(lock func() (unlock func()), visit func(i int)) {
	for next, more := 0, true; more; {
		next, more = t.part(lock, next, visitedAtOnce, visit)
	}
}

// part visits the entries with numbers from i to i+size. It returns the number to
// continue with, and whether there are more.
func (t *Table[V]) part(lock func() (unlock func()), i, size int, visit func(i int)) (next int, more bool) {
	defer lock()()
	for next = min(i+size, len(t.entries)); i < next; i++ {
		if t.Has(i) {
			visit(i)
		}
	}
	return next, next < len(t.entries)
}

// All returns what entry makes of each entry of a table, except where it is not ok,
// in no order. The table is locked as by Each, but not while a caller handles an
// entry: it may miss entries that are added or removed meanwhile, and return one twice
// that is removed and added again.
func All[V, E any](t *Table[V], lock func() (unlock func()), entry func(i int) (e E, ok bool)) iter.Seq[E] {
	return func(yield func(E) bool) {
		some := make([]E, 0, yieldedAtOnce)
		for next, more := 0, true; more; {
			some = some[:0]
			next, more = t.part(lock, next, yieldedAtOnce, func(i int) {
				if e, ok := entry(i); ok {
					some = append(some, e)
				}
			})
			for _, e := range some {
				if !yield(e) {
					return
				}
			}
		}
	}
}
