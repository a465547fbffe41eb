package warzonenet

import (
	"slices"

	"github.com/lobbywire/lobbywire/warzone"
)

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
