package warzonenet

import (
	"iter"
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/warzone"
)

// The lists of Games. That of 814-byte games consists of two sections.
const (
	listVersioned = iota
	list21
	list20
	listCount
)

// listOf returns the list that a section is part of.
func listOf(section int) int {
	switch section {
	case section21:
		return list21
	case section20:
		return list20
	}
	return listVersioned
}

// A list is records of the same size, which never change.
type list struct {
	pages [][]byte
	count int // of the records
}

// list returns the games as lists of a layout have them. The caller must not change
// the slice.
func (g *Games) list(l warzone.Layout) list {
	g.lock()
	defer g.mu.Unlock()
	number := listVersioned
	switch l {
	case warzone.Layout21:
		number = list21
	case warzone.Layout20:
		number = list20
	}
	if g.lists[number].pages == nil {
		g.lists[number] = g.newListLocked(number)
	}
	return g.lists[number]
}

func (g *Games) newListLocked(number int) list {
	made := list{pages: [][]byte{}}
	for i := range g.sections {
		if listOf(i) != number {
			continue
		}
		var n int
		most := positiveOr(g.MaxListed, warzone.MaxGames) - made.count
		made.pages, n = g.sections[i].appendPages(made.pages, most)
		made.count += n
	}
	return made
}

// Find returns the game at an address, listed or withheld.
func (g *Games) Find(key netip.AddrPort) (e Entry, ok bool) {
	g.lock()
	defer g.mu.Unlock()
	i, ok := g.table.Find(key)
	if !ok {
		return Entry{}, false
	}
	return (*g.table.Value(i)).entry, true
}

// FindID returns the game with an ID, listed or withheld.
func (g *Games) FindID(id uint32) (e Entry, ok bool) {
	g.lock()
	defer g.mu.Unlock()
	reg := g.byID[id]
	if reg == nil {
		return Entry{}, false
	}
	return reg.entry, true
}

// All returns the games, listed or withheld, in no order. It does not hold up the
// servers: it may miss games that are added or removed meanwhile, and may return a
// game twice that is removed and added again.
func (g *Games) All() iter.Seq[Entry] {
	return registry.All(&g.table, g.locked, func(i int) (Entry, bool) { return (*g.table.Value(i)).entry, true })
}

// Changes returns a number that changes whenever the games do, so that a program
// that shows them can skip unchanged ones.
func (g *Games) Changes() uint64 {
	g.lock()
	defer g.mu.Unlock()
	return g.changes
}

// GamesStats count the games now, and refusals since the Games were first used.
type GamesStats struct {
	Listed   int    // games now
	Withheld int    // games now that Admit hides
	Refused  uint64 // games not listed because of MaxGames, MaxPerAddress or MaxPerPrefix
}

// Stats returns a snapshot.
func (g *Games) Stats() GamesStats {
	g.lock()
	defer g.mu.Unlock()
	return GamesStats{Listed: g.table.Len() - g.withheld, Withheld: g.withheld, Refused: g.refused}
}
