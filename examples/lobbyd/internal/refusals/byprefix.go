package refusals

import (
	"container/list"
	"net/netip"
	"slices"
	"time"
)

// Limits of a byPrefix. At the limits, it takes a few megabytes.
const (
	maxPrefixes  = 1024
	maxPerPrefix = 16
)

// An event is something that has happened to a server.
type event[X any] interface {
	at() (addr netip.Addr, when time.Time)
	after(old X) (merged X, same bool) // the event in place of an old one, if both are the same
}

// A byPrefix holds events by prefix. A new prefix replaces the prefix whose last event is
// oldest.
type byPrefix[X event[X]] struct {
	groups map[netip.Prefix]*list.Element
	order  list.List // of *group[X], the latest first
}

// A group holds the events of a prefix.
type group[X event[X]] struct {
	prefix netip.Prefix
	events []X
}

// prefixOf returns the prefix whose addresses probably have one owner: an IPv4 /24 or an IPv6 /48.
func prefixOf(a netip.Addr) netip.Prefix {
	bits := 48
	if a.Is4() {
		bits = 24
	}
	p, _ := a.Prefix(bits) // fails without an address only
	return p
}

// add adds an event, and returns the number of recent ones that it replaces.
func (s *byPrefix[X]) add(x X) (replaced int) {
	if s.groups == nil {
		s.groups = make(map[netip.Prefix]*list.Element)
	}
	addr, when := x.at()
	prefix := prefixOf(addr)
	e := s.groups[prefix]
	if e == nil {
		if len(s.groups) >= maxPrefixes {
			oldest := s.order.Remove(s.order.Back()).(*group[X])
			replaced = oldest.since(when.Add(-recent))
			delete(s.groups, oldest.prefix)
		}
		e = s.order.PushFront(&group[X]{prefix: prefix})
		s.groups[prefix] = e
	}
	s.order.MoveToFront(e)
	return replaced + e.Value.(*group[X]).add(x)
}

// since returns the number of events since a time.
func (p *group[X]) since(t time.Time) (n int) {
	for _, x := range p.events {
		if _, when := x.at(); when.After(t) {
			n++
		}
	}
	return n
}

// add adds an event. It takes the place of the same one, or of the oldest if there is no room. add
// returns 1 if that is a recent one.
func (p *group[X]) add(x X) (replaced int) {
	known := slices.IndexFunc(p.events, func(old X) bool {
		merged, same := x.after(old)
		if same {
			x = merged
		}
		return same
	})
	switch {
	case known >= 0:
		p.events = slices.Delete(p.events, known, known+1)
	case len(p.events) >= maxPerPrefix:
		_, when := x.at()
		replaced = min(1, (&group[X]{events: p.events[:1]}).since(when.Add(-recent)))
		p.events = slices.Delete(p.events, 0, 1)
	}
	p.events = append(p.events, x)
	return replaced
}

// recent is how long operators are likely to ask for a reason.
const recent = 10 * time.Minute

// missed counts refusals that are not remembered, until there are none for a while.
type missed struct {
	count       uint64
	since, last time.Time
}

func (m *missed) add(n uint64, now time.Time) {
	if now.Sub(m.last) > recent {
		*m = missed{since: now}
	}
	if n > 0 {
		m.count += n
		m.last = now
	}
}

// of returns the events of the prefix of an address.
func (s *byPrefix[X]) of(addr netip.Addr) *group[X] {
	if e := s.groups[prefixOf(addr)]; e != nil {
		return e.Value.(*group[X])
	}
	return new(group[X])
}

// from returns the events of an address.
func (s *byPrefix[X]) from(addr netip.Addr) (all []X) {
	for _, x := range s.of(addr).events {
		if a, _ := x.at(); a == addr {
			all = append(all, x)
		}
	}
	return all
}

// latestFirst sorts events.
func latestFirst[X event[X]](all []X) []X {
	slices.SortStableFunc(all, func(a, b X) int {
		_, of := a.at()
		_, than := b.at()
		return than.Compare(of)
	})
	return all
}
