package browser

import (
	"cmp"
	"slices"
	"strings"
)

// An order is what servers are sorted by.
type order int

const (
	byPlayers order = iota
	byPing
	byName
	byMap
	byProtocol
	orders // how many there are
)

func (o order) String() string {
	return [...]string{"players", "ping", "name", "map", "protocol"}[o]
}

// compare compares two servers. Numbers that are unknown come last.
func (o order) compare(a, b *server) int {
	switch o {
	case byPlayers:
		return cmp.Compare(b.players(), a.players())
	case byPing:
		return cmp.Compare(uint64(a.rtt())-1, uint64(b.rtt())-1) // 0 becomes the largest
	case byName:
		return strings.Compare(strings.ToLower(a.view.Name), strings.ToLower(b.view.Name))
	case byMap:
		return strings.Compare(strings.ToLower(a.view.Map), strings.ToLower(b.view.Map))
	}
	return strings.Compare(a.protocol, b.protocol)
}

// arrange returns the servers that match a search, in order: favourites before
// others, and those without an answer last.
func (m *model) arrange() []*server {
	words := strings.Fields(strings.ToLower(m.search))
	var rows []*server
	for _, s := range m.servers {
		if s.matches(words) {
			rows = append(rows, s)
		}
	}
	slices.SortFunc(rows, func(a, b *server) int {
		if c := cmp.Compare(rank(m, a), rank(m, b)); c != 0 {
			return c
		}
		c := m.order.compare(a, b)
		if m.reverse {
			c = -c
		}
		return cmp.Or(c, strings.Compare(a.address, b.address), strings.Compare(a.protocol, b.protocol))
	})
	return rows
}

func rank(m *model, s *server) int {
	switch {
	case m.browser.Favourites.has(s.key):
		return 0
	case s.err == nil:
		return 1
	}
	return 2
}
