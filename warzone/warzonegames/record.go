package warzonegames

import (
	"cmp"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/warzone"
)

// The sections of Games. Lists of 814-byte games begin with games of earlier
// versions, because older clients see only the first few games.
const (
	sectionEarlier = iota // of versions 2 and 3, 814 bytes
	sectionCurrent        // of all other versions, 814 bytes
	section21             // for clients 2.1, 112 bytes
	section20             // for clients 2.0, 112 bytes
	sectionCount
)

// listCount is the number of lists. The one of 814-byte games has two sections.
const listCount = max(warzone.LayoutVersioned, warzone.Layout20, warzone.Layout21) + 1

// Records are games in one layout of the protocol up to 4.6, all of the same size.
type Records struct {
	Pages [][]byte // each has several whole records; they must not be changed
	Count int      // of records
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
				s.watchLocked()
				n := min(len(s.rows), cmp.Or(max(g.MaxListed, 0), warzone.MaxGames)-l.Count)
				l.Pages = s.appendPages(l.Pages, n)
				l.Count += n
			}
		}
		g.lists[layout] = l
	}
	return l
}

// encodeLocked sets scratch to the records of e.
func (g *Games) encodeLocked(e *Entry) error {
	for i := range g.scratch {
		var err error
		g.scratch[i], err = g.appendRecord(g.scratch[i][:0], e, i)
		if err != nil {
			return err
		}
	}
	return nil
}

// appendRecord appends the record of a game for a section, or nothing if the
// section does not have the game. Clients 2.0 and 2.1 can join only games at RecordPort.
func (g *Games) appendRecord(dst []byte, e *Entry, section int) ([]byte, error) {
	isEarlier := e.Game.Version == warzone.Version2 || e.Game.Version == warzone.Version3
	at := g.PublicAddr(e.Key)
	fitsRecord := at.Addr().Is4() && at.Port() == cmp.Or(g.RecordPort, warzone.GamePortOf20)
	switch {
	case e.Started:
	case section == sectionEarlier && isEarlier, section == sectionCurrent && !isEarlier:
		return e.versioned(at.Port(), g.PublicAddr(e.HTTP.Second)).AppendBinary(dst)
	case section == section21 && fitsRecord:
		return e.record(warzone.Layout21).AppendBinary(dst)
	case section == section20 && fitsRecord:
		return e.record(warzone.Layout20).AppendBinary(dst)
	}
	return dst, nil
}

// record returns the game in a layout of 112 bytes.
func (e *Entry) record(l warzone.Layout) warzone.Game {
	g := e.Game
	g.Layout = l
	g.Size = warzone.SizeOfRecord
	return g.Fit()
}

// versioned returns the game in a layout of 814 bytes: the layout of its host's
// version, or of version 4 if it has no version. It has a port and the other address, if there
// is one.
func (e *Entry) versioned(port uint16, second netip.AddrPort) warzone.Game {
	g := e.Game
	g.Layout = warzone.LayoutVersioned
	if g.Version == 0 {
		g.Version = warzone.Version4
		g.Size = warzone.SizeOfGame
	}
	if g.Size == 0 {
		g.Size = warzone.SizeOfGame // clients hide games with size 0
	}
	if g.Version == warzone.Version2 {
		g.GameID = warzone.Filler + 1
	}
	g.HostPort = port
	if second.IsValid() && second.Port() == port {
		g.SecondaryHosts[0] = second.Addr().String()
	}
	return g.Fit()
}

// PublicAddr returns the address for players of a game at an address, as Public defines it.
func (g *Games) PublicAddr(at netip.AddrPort) netip.AddrPort {
	if !at.IsValid() {
		return at
	}
	return registry.Public(g.Public, at, func(public netip.AddrPort) bool {
		return joinable(public) && public.Addr().Is4() == at.Addr().Is4()
	})
}

// joinable reports whether players can connect to an address.
func joinable(a netip.AddrPort) bool {
	return a.IsValid() && a.Port() != 0 && !a.Addr().IsUnspecified() && !a.Addr().IsMulticast()
}

// pageRecords is the number of records in a page, which has 52 KB with records of
// 814 bytes. A list after a change copies a page. With smaller pages, writing a list of
// 10 000 games to the network takes notably longer.
const pageRecords = 64

// A section is the Rows of records of the same size. Lists share its pages, which never
// change: after a change of a record, new lists get another page.
type section struct {
	Rows[[]byte]
	layout warzone.Layout // of the list that has the section
	pages  [][]byte       // nil if a record has changed
}

// forget forgets the page of a record.
func (s *section) forget(place int) {
	if i := place / pageRecords; i < len(s.pages) {
		s.pages[i] = nil
	} else {
		s.pages = append(s.pages, nil)
	}
}

// appendPages appends the pages of the first n records to dst. Records become slices of
// the pages.
func (s *section) appendPages(dst [][]byte, n int) [][]byte {
	for i := 0; i*pageRecords < n; i++ {
		first, end := i*pageRecords, min((i+1)*pageRecords, len(s.rows))
		size := len(s.rows[first])
		if s.pages[i] == nil {
			s.pages[i] = slices.Concat(s.rows[first:end]...)
			for k := range end - first {
				s.rows[first+k] = s.pages[i][k*size:][:size]
			}
		}
		dst = append(dst, s.pages[i][:min(end, n)*size-first*size])
	}
	return dst
}
