package warzonenet

import (
	"net/netip"
	"slices"

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

// encodeLocked sets scratch to the records of e.
func (g *Games) encodeLocked(e *Entry) error {
	for i := range g.scratch {
		var err error
		if g.scratch[i], err = e.appendRecord(g.scratch[i][:0], i, g.recordPort()); err != nil {
			return err
		}
	}
	return nil
}

// appendRecord appends the record of a game for a section, or nothing if the
// section does not have the game. Clients 2.0 and 2.1 can join only games at the
// given port.
func (e *Entry) appendRecord(dst []byte, section int, port uint16) ([]byte, error) {
	isEarlier := e.Game.Version == warzone.Version2 || e.Game.Version == warzone.Version3
	fitsRecord := e.Key.Addr().Is4() && e.Key.Port() == port
	switch {
	case e.Started:
	case section == sectionEarlier && isEarlier, section == sectionCurrent && !isEarlier:
		return e.versioned().AppendBinary(dst)
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
// version, or of version 4 if it has no version.
func (e *Entry) versioned() warzone.Game {
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
	g.HostPort = e.Key.Port()
	if second := e.HTTP.Second; second.IsValid() && second.Port() == g.HostPort {
		g.SecondaryHosts[0] = second.Addr().String()
	}
	return g.Fit()
}

// joinable reports whether players can connect to an address.
func joinable(a netip.AddrPort) bool {
	return a.IsValid() && a.Port() != 0 && !a.Addr().IsUnspecified() && !a.Addr().IsMulticast()
}

// pageRecords is the number of records in a page, which has 52 KB with records of
// 814 bytes. A change may copy a page. With smaller pages, writing a list of 10 000
// games to the network takes notably longer.
const pageRecords = 64

// A section is a sequence of records of the same size, in pages. Pages that have
// been given out are immutable: a change makes a copy.
type section struct {
	number int            // of this section, among those of Games
	size   int            // of a record
	layout warzone.Layout // of the list that has the section
	pages  []page
	owners []*registration // of the records, in their order
	given  uint64          // how often pages have been given out
}

type page struct {
	records []byte
	given   uint64 // as in the section when the page was made
}

// add adds a record at the end.
func (r *section) add(record []byte, owner *registration) {
	n := len(r.owners)
	if n%pageRecords == 0 {
		r.pages = append(r.pages, page{make([]byte, 0, pageRecords*r.size), r.given})
	}
	p := r.own(n / pageRecords)
	p.records = append(p.records, record...)
	r.owners = append(r.owners, owner)
	owner.places[r.number] = n
}

// at returns the record at a place; it must not be changed.
func (r *section) at(place int) []byte {
	from := place % pageRecords * r.size
	return r.pages[place/pageRecords].records[from : from+r.size]
}

// set replaces the record at a place.
func (r *section) set(place int, record []byte) {
	copy(r.own(place / pageRecords).records[place%pageRecords*r.size:], record)
}

// remove removes the record at a place, and moves the last one there.
func (r *section) remove(place int) {
	r.owners[place].places[r.number] = nowhere
	last := len(r.owners) - 1
	if place != last {
		r.set(place, r.at(last))
		r.owners[place] = r.owners[last]
		r.owners[place].places[r.number] = place
	}
	r.owners[last] = nil
	r.owners = r.owners[:last]
	if last%pageRecords == 0 {
		r.pages = slices.Delete(r.pages, len(r.pages)-1, len(r.pages))
		return
	}
	p := r.own(len(r.pages) - 1)
	p.records = p.records[:len(p.records)-r.size]
}

// own returns a page that may be changed.
func (r *section) own(i int) *page {
	p := &r.pages[i]
	if p.given != r.given {
		*p = page{append(make([]byte, 0, pageRecords*r.size), p.records...), r.given}
	}
	return p
}

// appendPages appends the pages of the first n records to dst. The pages never
// change after that.
func (r *section) appendPages(dst [][]byte, n int) [][]byte {
	r.given++
	for i := 0; i*pageRecords < n; i++ {
		size := min(n-i*pageRecords, pageRecords) * r.size
		dst = append(dst, r.pages[i].records[:size])
	}
	return dst
}
