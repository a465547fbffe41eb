package warzonenet

import (
	"iter"
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/warzone"
)

// The lists of Games. The list of 814-byte games consists of two sections.
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

// A list is a sequence of records of the same size. They are immutable.
type list struct {
	pages [][]byte
	count int // of the records
}

// list returns the games in the form of a layout. The caller must not change the
// slices.
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

// All returns the games, listed or withheld, in no particular order. It does not
// block the servers, so it may miss games that are added or removed during the
// iteration, and may yield a game twice if it is removed and added again.
func (g *Games) All() iter.Seq[Entry] {
	return registry.All(&g.table, g.locked, func(i int) (Entry, bool) { return (*g.table.Value(i)).entry, true })
}

// Changes returns a number that changes whenever the games do, so that a program
// that displays them knows when to update.
func (g *Games) Changes() uint64 {
	g.lock()
	defer g.mu.Unlock()
	return g.changes
}

// GamesStats has the current numbers of games, and the number of refusals since
// the Games was first used.
type GamesStats struct {
	Listed   int    // games in lists now
	Withheld int    // games that Admit withholds now
	Refused  uint64 // games not listed because of MaxGames, MaxPerAddress or MaxPerPrefix
}

// Stats returns a snapshot.
func (g *Games) Stats() GamesStats {
	g.lock()
	defer g.mu.Unlock()
	return GamesStats{Listed: g.table.Len() - g.withheld, Withheld: g.withheld, Refused: g.refused}
}
