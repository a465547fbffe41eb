package refusals

import (
	"container/list"
	"net/netip"
	"slices"
	"time"
)

// Limits of a byPrefix, which takes a few megabytes then.
const (
	maxPrefixes  = 1024
	maxPerPrefix = 16
)

// A byPrefix has refusals by prefix. A new prefix replaces the one without a refusal for the
// longest time.
type byPrefix struct {
	groups map[netip.Prefix]*list.Element
	order  list.List // of *group, the latest first
}

// A group has the refusals of a prefix.
type group struct {
	prefix   netip.Prefix
	refusals []Refusal
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

// add adds a refusal, and returns the number of recent ones that it replaces.
func (s *byPrefix) add(x Refusal) (replaced int) {
	if s.groups == nil {
		s.groups = make(map[netip.Prefix]*list.Element)
	}
	prefix := prefixOf(x.From.Addr())
	e := s.groups[prefix]
	if e == nil {
		if len(s.groups) >= maxPrefixes {
			oldest := s.order.Remove(s.order.Back()).(*group)
			replaced = oldest.since(x.Last.Add(-recent))
			delete(s.groups, oldest.prefix)
		}
		e = s.order.PushFront(&group{prefix: prefix})
		s.groups[prefix] = e
	}
	s.order.MoveToFront(e)
	return replaced + e.Value.(*group).add(x)
}

// since returns the number of refusals since a time.
func (p *group) since(t time.Time) (n int) {
	for _, x := range p.refusals {
		if x.Last.After(t) {
			n++
		}
	}
	return n
}

// add adds a refusal. It counts one that is known, and replaces the oldest if there is no
// room. It returns 1 if that is a recent one.
func (p *group) add(x Refusal) (replaced int) {
	known := slices.IndexFunc(p.refusals, func(old Refusal) bool {
		return old.Server == x.Server && old.From == x.From && old.Reason == x.Reason
	})
	switch {
	case known >= 0:
		x.Count += p.refusals[known].Count
		p.refusals = slices.Delete(p.refusals, known, known+1)
	case len(p.refusals) >= maxPerPrefix:
		if p.refusals[0].Last.After(x.Last.Add(-recent)) {
			replaced = 1
		}
		p.refusals = slices.Delete(p.refusals, 0, 1)
	}
	p.refusals = append(p.refusals, x)
	return replaced
}

// recent is the time in which operators are likely to ask for a reason.
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

func (s *byPrefix) from(addr netip.Addr) (all []Refusal) {
	e := s.groups[prefixOf(addr)]
	if e == nil {
		return nil
	}
	for _, x := range e.Value.(*group).refusals {
		if x.From.Addr() == addr {
			all = append(all, x)
		}
	}
	return all
}

func latestFirst(all []Refusal) []Refusal {
	slices.SortStableFunc(all, func(a, b Refusal) int { return b.Last.Compare(a.Last) })
	return all
}
