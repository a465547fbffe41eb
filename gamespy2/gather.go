package gamespy2

import (
	"bytes"
	"slices"
)

// A gatherer builds a response from the sections of its packets, in the order of their
// numbers.
//
// A server cuts a response wherever the packet is full: in a key, a value or a column name.
// The next packet starts by repeating the cut item in full. Some servers cut between two
// items instead, and repeat none. So each packet is read on its own, and a value is set by
// its column and row. The last item of a packet does not count until the next packet shows
// that it was complete. If a response ends early, the gatherer keeps the earlier items.
type gatherer struct {
	values  int // limit for the values of a table
	later   int // upper bound for the texts in the packets after this one
	info    []KeyValue
	tables  [3]grid // by section
	partial bool

	// outOfStep reports that a key or column lacks a value, so that other values may be
	// misplaced, that a column starts after rows that it lacks, or that the remaining bytes
	// are not a section.
	outOfStep bool

	unsure item // the last item of the previous packet, if it may be cut
}

// An item is a property of info or a value of a table.
type item struct {
	section int
	name    string // the key or the column; "" for no item
	row     int
	maxRows int // as in [grid.set]
	value   string
}

// nextPacket is called before next, the body of the next packet, is read. It keeps the last
// item, which may be cut, if next continues after it. If the next packet is missing, next
// is nil.
func (g *gatherer) nextPacket(next []byte) {
	last := g.unsure
	g.unsure = item{}
	switch {
	case last.name == "", last.isRepeated(next):
	case !last.isFollowed(next):
		g.partial = true
	case last.section == info:
		g.info = append(g.info, KeyValue{last.name, last.value})
	default:
		t := &g.tables[last.section]
		t.set(last.row, slices.Index(t.names(), last.name), last.value, last.maxRows)
	}
}

// isRepeated reports whether a packet starts with the item or an earlier one of its column.
func (i *item) isRepeated(p []byte) bool {
	rest, ok := afterName(p, i.name)
	return ok && len(rest) > 0 && (p[0] == info) == (i.section == info) &&
		(i.section == info || int(rest[0]) <= i.row)
}

// isFollowed reports whether a packet that does not repeat the item starts with another
// one, which shows that the item was complete. Unreal Tournament 3 always repeats a cut
// key, which may look like the value of the previous key if that has none.
func (i *item) isFollowed(p []byte) bool {
	if len(p) == 0 || !isTable(p[0]) && (p[0] != info || i.section != info) {
		return false
	}
	name, rest, ok := bytes.Cut(p[1:], []byte{0})
	return ok && (p[0] != info || property(name) == 0) && (len(rest) > 0 || string(name) != i.name)
}

// afterName returns the bytes of p after a section byte and a name.
func afterName(p []byte, name string) (rest []byte, ok bool) {
	end := 1 + len(name)
	if len(p) <= end || string(p[1:end]) != name || p[end] != 0 {
		return nil, false
	}
	return p[end+1:], true
}

// finish sets the sections of m. Missing values are "".
func (g *gatherer) finish(m *Response) {
	g.nextPacket(nil)
	m.Split = true
	m.Sections = AllSections
	m.Info = g.info
	if m.Info == nil {
		m.Info = []KeyValue{}
	}
	rows := make([][]string, g.tables[players].rows+g.tables[teams].rows)
	m.Players, rows = g.tables[players].table(rows)
	m.Teams, _ = g.tables[teams].table(rows)
	uneven := g.tables[players].isUneven() || g.tables[teams].isUneven()
	m.Partial = g.partial || g.outOfStep || uneven
}
