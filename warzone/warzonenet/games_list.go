package warzonenet

import (
	"iter"
	"net"
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/warzone"
)

// listCount is the number of lists. The one of 814-byte games has two sections.
const listCount = max(warzone.LayoutVersioned, warzone.Layout20, warzone.Layout21) + 1

// A list is a sequence of records of the same size. They are immutable.
type list struct {
	pages net.Buffers
	count int // of the records
}

// list returns the games in the form of a layout. The caller must not change the slices.
func (g *Games) list(layout warzone.Layout) list {
	defer g.locked()()
	if !isRecord(layout) {
		layout = warzone.LayoutVersioned
	}
	l := g.lists[layout]
	if l.pages == nil {
		l.pages = net.Buffers{}
		for i := range g.sections {
			if s := &g.sections[i]; s.layout == layout {
				s.watchLocked()
				n := min(len(s.rows), positiveOr(g.MaxListed, warzone.MaxGames)-l.count)
				l.pages = s.appendPages(l.pages, n)
				l.count += n
			}
		}
		g.lists[layout] = l
	}
	return l
}

// Find returns the game at an address, listed or withheld.
func (g *Games) Find(key netip.AddrPort) (e Entry, ok bool) {
	defer g.locked()()
	return g.atLocked(key).found()
}

// FindID returns the game with an ID, listed or withheld.
func (g *Games) FindID(id uint32) (e Entry, ok bool) {
	defer g.locked()()
	return g.byID[id].found()
}

// atLocked returns the game at an address, or nil.
func (g *Games) atLocked(key netip.AddrPort) *registration {
	if i, ok := g.table.Find(key); ok {
		return *g.table.Value(i)
	}
	return nil
}

// found returns the entry of reg, unless that is nil.
func (reg *registration) found() (e Entry, ok bool) {
	if reg != nil {
		e = reg.entry
	}
	return e, reg != nil
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
	defer g.locked()()
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
	defer g.locked()()
	return GamesStats{Listed: g.table.Len() - g.withheld, Withheld: g.withheld, Refused: g.refused}
}
