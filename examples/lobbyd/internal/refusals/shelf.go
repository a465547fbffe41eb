package refusals

import (
	"container/list"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
)

// Limits of a shelf, which then takes a few megabytes.
const (
	maxPrefixes  = 1024
	maxPerPrefix = 16
)

// A shelf has refusals by prefix. A new prefix replaces the one without a refusal for the
// longest time.
type shelf struct {
	pages map[netip.Prefix]*list.Element
	order list.List // of *page, the latest first
}

// A page has the refusals of a prefix.
type page struct {
	prefix   netip.Prefix
	refusals []Refusal
}

func (s *shelf) add(x Refusal) {
	if s.pages == nil {
		s.pages = make(map[netip.Prefix]*list.Element)
	}
	prefix := ban.PrefixOf(x.From.Addr())
	e := s.pages[prefix]
	if e == nil {
		if len(s.pages) >= maxPrefixes {
			oldest := s.order.Back()
			delete(s.pages, s.order.Remove(oldest).(*page).prefix)
		}
		e = s.order.PushFront(&page{prefix: prefix})
		s.pages[prefix] = e
	}
	s.order.MoveToFront(e)
	e.Value.(*page).add(x)
}

// add adds a refusal. It counts one that is known, and replaces the oldest if there is no
// room.
func (p *page) add(x Refusal) {
	known := slices.IndexFunc(p.refusals, func(old Refusal) bool {
		return old.Server == x.Server && old.From == x.From && old.Reason == x.Reason
	})
	switch {
	case known >= 0:
		x.Count += p.refusals[known].Count
		p.refusals = slices.Delete(p.refusals, known, known+1)
	case len(p.refusals) >= maxPerPrefix:
		p.refusals = slices.Delete(p.refusals, 0, 1)
	}
	p.refusals = append(p.refusals, x)
}

func (s *shelf) from(addr netip.Addr) (all []Refusal) {
	e := s.pages[ban.PrefixOf(addr)]
	if e == nil {
		return nil
	}
	for _, x := range e.Value.(*page).refusals {
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
