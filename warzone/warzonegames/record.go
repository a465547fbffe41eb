package warzonegames

import (
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
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

// listCount is the number of lists. The list of 814-byte games has two sections.
const listCount = max(warzone.LayoutVersioned, warzone.Layout20, warzone.Layout21) + 1

// records are the lists of published games in all layouts, and the records of one game.
type records struct {
	sections [sectionCount]section
	lists    [listCount]gamelist.Records // by layout, as last requested
	scratch  [sectionCount][]byte        // the records of the game that viewers receive, by section
}

func (r *records) init() {
	for i, layout := range [sectionCount]warzone.Layout{section21: warzone.Layout21, section20: warzone.Layout20} {
		r.sections[i].layout = layout
	}
}

// appendRecord appends the record of a game for a section, or nothing if the game is not in
// the section. Clients 2.0 and 2.1 can join only games at recordPort. The addresses are the
// public ones.
func (e *Entry) appendRecord(dst []byte, section int, at, second netip.AddrPort, recordPort uint16) ([]byte, error) {
	earlier := e.Game.Version == warzone.Version2 || e.Game.Version == warzone.Version3
	fitsRecord := at.Addr().Is4() && at.Port() == recordPort
	switch {
	case e.Started:
	case section == sectionEarlier && earlier, section == sectionCurrent && !earlier:
		return e.versioned(at.Port(), second).AppendBinary(dst)
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

// versioned returns the game in a layout of 814 bytes: the layout of its host's version, or
// of version 4 if it has no version. It sets the port and the second address, if there is
// one.
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

// pageRecords is the number of records in a page: 52 KB with records of 814 bytes. A list
// after a change copies a page. With smaller pages, writing a list of 10 000 games to the
// network takes notably longer.
const pageRecords = 64

// A section holds records of the same size. Lists share its pages, which never change:
// after a change of a record, new lists get another page.
type section struct {
	gamelist.Table[Entry, []byte]
	layout warzone.Layout // of the list that contains the section
	pages  [][]byte       // nil if a record has changed
}

// forget forgets the page of a record.
func (s *section) forget(record int) {
	if i := record / pageRecords; i < len(s.pages) {
		s.pages[i] = nil
	} else {
		s.pages = append(s.pages, nil)
	}
}

// appendPages appends the pages of the first n records to dst. Records become slices of
// the pages.
func (s *section) appendPages(dst [][]byte, n int) [][]byte {
	for i := 0; i*pageRecords < n; i++ {
		first, end := i*pageRecords, min((i+1)*pageRecords, len(s.Rows))
		size := len(s.Rows[first])
		if s.pages[i] == nil {
			s.pages[i] = slices.Concat(s.Rows[first:end]...)
			for k := range end - first {
				s.Rows[first+k] = s.pages[i][k*size:][:size]
			}
		}
		dst = append(dst, s.pages[i][:min(end, n)*size-first*size])
	}
	return dst
}
