package diagram

import (
	"fmt"
	"slices"
)

// A match is an attempt to lay a diagram along an example.
type match struct {
	example
	base     int // where in it the diagram starts
	seen     map[*element]bool
	failed   map[state]bool
	furthest int    // how far it came
	problem  string // why not further
}

// A state is an element that is to be matched at an offset. What follows it is
// the same whenever it is reached.
type state struct {
	*element
	at int
}

// fits lays elements along e from base on, and notes in seen which of them e has.
// Where they do not fit, ok is false, and it returns how far they do and why not
// further. The whole of e ends where they do.
func fits(elements []element, e example, base int, whole bool, seen map[*element]bool) (ok bool, furthest int, problem string) {
	m := match{example: e, base: base, seen: seen, failed: map[state]bool{}, furthest: -1}
	ok = m.elements(elements, base, false, func(at int) bool {
		return !whole && m.atField(at) || at == len(e.data) || m.fail(at, "the diagram ends before the message")
	})
	return ok, m.furthest, m.problem
}

// fail notes why there is no match at an offset.
func (m *match) fail(at int, format string, args ...any) bool {
	if at > m.furthest {
		m.furthest = at
		m.problem = fmt.Sprintf("at byte %d ", at) + fmt.Sprintf(format, args...)
	}
	return false
}

// elements matches all elements from an offset on, and then what follows.
func (m *match) elements(all []element, at int, repeated bool, then func(at int) bool) bool {
	if len(all) == 0 {
		return then(at)
	}
	e := &all[0]
	here := state{e, at}
	if m.failed[here] {
		return false
	}
	if e.offset >= 0 && at-m.base != e.offset {
		return m.fail(at, "is %d, where the diagram has %q at %d", at-m.base, e.text, e.offset)
	}
	next := func(at int) bool { return m.elements(all[1:], at, repeated, then) }
	ok := false
	switch e.kind {
	case constant:
		n := e.value.match(m.data[at:])
		ok = n >= 0 && next(at+n) || m.fail(at, "is no %s", e.text)
	case rest:
		ok = m.rest(e, at, next)
	case named:
		ok = m.named(e, at, repeated, next)
	case group:
		ok = m.elements(e.within, at, repeated || e.repeats, func(end int) bool {
			return e.repeats && end > at && m.elements(all, end, repeated, then) || next(end)
		}) || next(at)
	case mark:
		ok = m.atField(at) && next(at)
	}
	if ok {
		m.seen[e] = true
	} else {
		m.failed[here] = true
	}
	return ok
}

// rest matches any fields, but so many bytes if the diagram says how many.
func (m *match) rest(e *element, at int, next func(at int) bool) bool {
	for _, f := range m.fields {
		if m.atField(at) && f.offset >= at && (e.size < 0 || f.offset-at == e.size) && next(f.offset) {
			return true
		}
	}
	return m.atField(at) && (e.size < 0 || len(m.data)-at == e.size) && next(len(m.data))
}

// atField tells whether a field starts at an offset, or the data ends.
func (m *match) atField(at int) bool {
	return at == len(m.data) || slices.ContainsFunc(m.fields, func(f field) bool { return f.offset == at }) ||
		m.fail(at, "is the end of a field")
}

// named matches the field of a name or, unless it repeats, all fields that are its
// parts. A last byte may be a delimiter, which the diagram has on its own.
func (m *match) named(e *element, at int, repeated bool, next func(at int) bool) bool {
	first := slices.IndexFunc(m.fields, func(f field) bool {
		return f.offset == at && (f.is(e.text) || !repeated && f.in(e.text))
	})
	if first < 0 {
		return m.fail(at, "is no field %q", e.text)
	}
	last := first
	for !repeated && last+1 < len(m.fields) && m.fields[last+1].in(e.text) {
		last++
	}
	for _, end := range []int{m.fields[first].end, m.fields[last].end} {
		switch {
		case e.size >= 0 && end-at != e.size:
			m.fail(at, "is %q with %d bytes, and in the diagram it has %d", e.text, end-at, e.size)
		case e.value != nil && e.value.match(m.data[at:end]) != end-at:
			m.fail(at, "is %q, but not the constant of the diagram", e.text)
		case next(end) || e.size < 0 && end > at && next(end-1):
			return true
		}
	}
	return false
}
