package browser

import (
	"cmp"
	"slices"
	"strings"
)

// An order is the value to sort servers by.
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
	return strings.Compare(a.Protocol, b.Protocol)
}

// arrange returns the servers that match a search, in order: favourites before
// others, and those without an answer last. Count is the number of all servers.
func (m *model) arrange() (rows []*server, count int) {
	words := strings.Fields(strings.ToLower(m.search))
	var all []*server
	for _, s := range m.servers {
		all = append(all, s)
		if s.matches(words) {
			rows = append(rows, s)
		}
	}
	rows, count = m.once(rows), len(m.once(all))
	slices.SortFunc(rows, func(a, b *server) int {
		if c := cmp.Compare(rank(m, a), rank(m, b)); c != 0 {
			return c
		}
		c := m.order.compare(a, b)
		if m.reverse {
			c = -c
		}
		return cmp.Or(c, strings.Compare(a.Address, b.Address), a.Key.compare(b.Key))
	})
	return rows, count
}

// once keeps one server for each address where players join and each name there. A server
// may answer in several protocols, and also be on lists; one of another name that claims its
// address does not hide it. A favourite is preferred, then a server that answers, then one
// that was queried.
func (m *model) once(all []*server) []*server {
	type game struct{ join, name string }
	best := map[game]*server{}
	for _, s := range all {
		g := game{s.join, s.view.Name}
		if b := best[g]; b == nil || m.better(s, b) {
			best[g] = s
		}
	}
	return slices.DeleteFunc(all, func(s *server) bool {
		return s.join != "" && best[game{s.join, s.view.Name}] != s
	})
}

// better reports whether once prefers a to b.
func (m *model) better(a, b *server) bool {
	return cmp.Or(
		cmp.Compare(rank(m, a), rank(m, b)),
		cmp.Compare(min(len(b.trips), 1), min(len(a.trips), 1)),
		a.Key.compare(b.Key),
	) < 0
}

// others returns the servers with the same join address as s.
func (m *model) others(s *server) (all []*server) {
	for _, other := range m.servers {
		if other != s && other.join == s.join && s.join != "" {
			all = append(all, other)
		}
	}
	slices.SortFunc(all, func(a, b *server) int { return a.Key.compare(b.Key) })
	return all
}

func rank(m *model, s *server) int {
	switch {
	case m.browser.Favourites.has(s.Key):
		return 0
	case s.err == nil:
		return 1
	}
	return 2
}
