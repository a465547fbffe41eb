package warzonegames

import (
	"cmp"
	"iter"
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
)

func (g lobbies) Find(at netip.AddrPort) (e Entry, ok bool) {
	s := g.lock()
	defer s.unlock()
	return cmp.Or(s.byKey[at], s.bySecond[at]).found()
}

// FindID returns the game with an ID, whether it is published or not.
func (g *Games) FindID(id uint32) (e Entry, ok bool) {
	s := g.lock()
	defer s.unlock()
	return s.find(id).found()
}

// found returns the entry of reg, if reg is not nil.
func (reg *registration) found() (e Entry, ok bool) {
	if reg != nil {
		e = reg.entry
	}
	return e, reg != nil
}

// All returns the published games, listed or withheld, in no particular order. It does not
// block the servers, so it may miss games that are added or removed during the
// iteration, and may yield a game twice if it is removed and added again.
func (g *Games) All() iter.Seq[Entry] {
	return registry.All(&g.state.table, g.locked, func(i int) (Entry, bool) {
		reg := *g.state.table.Value(i)
		return reg.entry, reg.entry.Published()
	})
}

func (g lobbies) Records(layout warzone.Layout) gamelist.Records {
	s := g.lock()
	defer s.unlock()
	if layout != warzone.Layout20 && layout != warzone.Layout21 {
		layout = warzone.LayoutVersioned
	}
	r := &s.records
	l := r.lists[layout]
	if l.Pages == nil {
		l.Pages = [][]byte{}
		for i := range r.sections {
			if section := &r.sections[i]; section.layout == layout {
				s.watchSection(i)
				n := min(len(section.Rows), g.maxListed()-l.Count)
				l.Pages = section.appendPages(l.Pages, n)
				l.Count += n
			}
		}
		r.lists[layout] = l
	}
	return l
}

// maxListed returns MaxListed or its default.
func (g *Games) maxListed() int { return cmp.Or(max(g.MaxListed, 0), warzone.MaxGames) }

// Stats counts the current games, and the refusals since the Games was first used.
type Stats struct {
	Listed    int    // games in lists now
	Withheld  int    // games that are withheld now, by Admit or because they are Unreachable
	Announced int    // games of this node that are not published yet
	Refused   uint64 // games not listed because of Limits
	Cut       bool   // lists lack games, because there are more than MaxListed
}

// Stats returns a snapshot of the counters.
func (g *Games) Stats() Stats {
	s := g.lock()
	defer s.unlock()
	listed := s.published.Len() - s.withheld
	return Stats{Listed: listed, Withheld: s.withheld, Announced: s.announced.Len(), Refused: s.refused,
		Cut: listed > g.maxListed()}
}
