package gamespy2

// A gatherer makes a response of the sections of its packets, which it gets in the
// order of their numbers.
//
// A server cuts a response wherever the packet is full: in a key, a value or a
// column name. The next packet starts by repeating the cut item in full. So each
// packet is read on its own, and a value is set by its column and row. The last item
// of a packet does not count until the next packet repeats it. If a response ends
// early, the gatherer keeps the items before.
type gatherer struct {
	values  int // limit for the values of a table
	later   int // upper bound for the texts in the packets after this one
	info    []KeyValue
	tables  [3]grid // by section
	partial bool

	// outOfStep reports that a key or column lacks a value, so others may have wrong ones, that
	// a column starts after rows that it lacks, or that bytes are left that are no section.
	outOfStep bool

	unsure item // the last item of the packet before, if it may be cut
}

// An item is a property of info or a value of a table.
type item struct {
	section int
	name    string // the key or the column; "" for no item
	row     int
}

// nextPacket is called before next, the body of the next packet, is read. If next does
// not repeat the last item of the packet before, which may be cut, the response is partial.
func (g *gatherer) nextPacket(next []byte) {
	last := g.unsure
	if last.name == "" {
		return
	}
	rest, ok := afterName(next, last.name)
	repeated := ok && len(rest) > 0 && (next[0] == info) == (last.section == info) &&
		(last.section == info || int(rest[0]) <= last.row)
	g.partial = g.partial || !repeated
	g.unsure = item{}
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
