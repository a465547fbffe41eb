package warzonegames

import (
	"bytes"
	"cmp"
	"iter"
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/warzone"
)

// Find returns the game at an address, listed or withheld: the game with that Key or, if
// there is none, with that HTTP.Second.
func (g *Games) Find(at netip.AddrPort) (e Entry, ok bool) {
	defer g.locked()()
	return cmp.Or(g.atLocked(at), g.bySecond[at]).found()
}

// FindID returns the game with an ID, listed or withheld.
func (g *Games) FindID(id uint32) (e Entry, ok bool) {
	defer g.locked()()
	return g.byID[id].found()
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

// Records returns the games in the form of a layout, which must be
// [warzone.LayoutVersioned], [warzone.Layout21] or [warzone.Layout20]; other layouts mean
// LayoutVersioned. MaxListed limits their number.
func (g *Games) Records(layout warzone.Layout) Records {
	defer g.locked()()
	if layout != warzone.Layout20 && layout != warzone.Layout21 {
		layout = warzone.LayoutVersioned
	}
	l := g.lists[layout]
	if l.Pages == nil {
		l.Pages = [][]byte{}
		for i := range g.sections {
			if s := &g.sections[i]; s.layout == layout {
				g.watchSectionLocked(i)
				n := min(len(s.rows), cmp.Or(max(g.MaxListed, 0), warzone.MaxGames)-l.Count)
				l.Pages = s.appendPages(l.Pages, n)
				l.Count += n
			}
		}
		g.lists[layout] = l
	}
	return l
}

// watchSectionLocked makes a section receive changes, before the first list.
func (g *Games) watchSectionLocked(i int) {
	s := &g.sections[i]
	if s.isMade() {
		return
	}
	row := func(*Entry) ([]byte, bool) { return bytes.Clone(g.scratch[i]), len(g.scratch[i]) > 0 }
	s.table = makeTable(row, func(place int) {
		s.forget(place)
		g.lists[s.layout] = Records{}
	})
	g.watchLocked(&s.table)
}

// Changes returns a number that changes whenever the games do, so that a program
// that displays them knows when to update.
func (g *Games) Changes() uint64 {
	defer g.locked()()
	return g.changes
}

// Stats has the current numbers of games, and the number of refusals since
// the Games was first used.
type Stats struct {
	Listed   int    // games in lists now
	Withheld int    // games that are withheld now, by Admit or because they are Unreachable
	Refused  uint64 // games not listed because of MaxGames, MaxPerAddress or MaxPerPrefix
}

// Stats returns a snapshot.
func (g *Games) Stats() Stats {
	defer g.locked()()
	return Stats{Listed: g.table.Len() - g.withheld, Withheld: g.withheld, Refused: g.refused}
}
