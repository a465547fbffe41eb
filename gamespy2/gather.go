package gamespy2

import (
	"bytes"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A gatherer takes in the sections of one packet after the other, in the order
// of their numbers, and makes a response of them.
//
// A server cuts an answer wherever the packet is full: in a key, a value, a
// column name. The next packet starts by repeating, in full, what was cut. So
// each packet is read on its own, a value goes where its column and row say,
// and what stands last in a packet does not count until it is repeated.
type gatherer struct {
	o       Options
	texts   int // in all packets, at most
	info    []KeyValue
	columns [3][]string // by section
	rows    [3]int
	cells   []cell
	partial bool

	plain  bool // the form
	last   bool // the packet being read is the last one, so it ends in no cut
	dangle cut  // what stood last in the packet before
}

// A cell is a value of a table.
type cell struct {
	value   string
	row     int32
	column  int16
	section int16
}

// A cut is what a packet may have been cut in, though it looks whole.
type cut int

const (
	cutNothing cut = iota
	cutInfo        // the last of info
	cutCell        // the last of cells
)

// countTexts returns how many texts are in p at most.
func countTexts(p []byte) int { return bytes.Count(p, []byte{0}) }

// packet reads the sections of a packet. Only the last one has to end well.
func (g *gatherer) packet(r *wire.Reader, last bool) {
	g.settle(r.Peek())
	g.last = last
	// What follows the last zero byte was cut for certain.
	torn := 0
	if p := r.Peek(); !last && len(p) > 0 {
		torn = len(p) - 1 - bytes.LastIndexByte(p, 0)
	}
	if torn == 0 {
		g.sections(r)
		return
	}
	outer := r.Enter(r.Len()-torn, "", r.Offset())
	g.sections(r)
	r.Leave(outer)
	r.Skip(torn, "cut")
	g.dangle = cutNothing
}

func (g *gatherer) sections(r *wire.Reader) {
	next := info
	for r.Len() > 0 {
		section := int(r.Peek()[0])
		if section < next || section > teams {
			break
		}
		next = section + 1
		r.Uint8("section")
		if section == info {
			g.readInfo(r)
		} else {
			g.readTable(r, section)
		}
		r.In("", -1)
	}
	if g.o.Strict {
		r.End()
		if g.last && next <= teams {
			r.Fail(lobbywire.ErrTruncated, "section", r.Offset())
		}
	}
	r.Skip(r.Len(), "ignored")
}

// settle decides about what stood last in the packet before: next, the packet
// now, repeats it, or it is lost.
func (g *gatherer) settle(next []byte) {
	repeated := false
	switch g.dangle {
	case cutNothing:
		return
	case cutInfo:
		i := len(g.info) - 1
		rest, ok := afterName(next, g.info[i].Key)
		repeated = ok && next[0] == info && len(rest) > 0
		g.info = g.info[:i]
	case cutCell:
		i := len(g.cells) - 1
		c := g.cells[i]
		rest, ok := afterName(next, g.columns[c.section][c.column])
		repeated = ok && next[0] != info && len(rest) > 0 && int32(rest[0]) <= c.row
		g.cells = g.cells[:i]
	}
	g.partial = g.partial || !repeated
	g.dangle = cutNothing
}

// afterName returns what follows a section byte and a name at the start of p.
func afterName(p []byte, name string) (rest []byte, ok bool) {
	end := 1 + len(name)
	if len(p) <= end || string(p[1:end]) != name || p[end] != 0 {
		return nil, false
	}
	return p[end+1:], true
}

// infoTexts returns about how many texts are in the info that p starts with: up
// to two zero bytes, which an empty value makes too.
func infoTexts(p []byte) int {
	if end := bytes.Index(p, []byte{0, 0}); end >= 0 {
		p = p[:end+1]
	}
	return countTexts(p)
}

// readInfo reads keys and values and the zero byte after them. It tells whether
// that was there. It is missing if the packet was cut and, tolerably, at the end
// of a packet in split form.
func (g *gatherer) readInfo(r *wire.Reader) (ended bool) {
	if g.info == nil {
		g.info = make([]KeyValue, 0, infoTexts(r.Peek())/2)
	}
	for r.Len() > 0 {
		if r.Peek()[0] == 0 {
			r.In("info", -1)
			r.Uint8("end")
			return true
		}
		r.In("info", len(g.info))
		at := r.Offset()
		key := r.Text0("key")
		if g.o.Strict && len(key) > MaxName {
			r.Fail(lobbywire.ErrTooLarge, "key", at)
		}
		if r.Len() == 0 && !g.last {
			return false // a key that was cut
		}
		value := ""
		if !g.lacksValue(r.Peek()) {
			value = r.Text0("value")
		}
		if r.Failed() {
			return false
		}
		g.info = append(g.info, KeyValue{key, value})
		if r.Len() == 0 && !g.last {
			g.dangle = cutInfo
		}
	}
	if g.last && (g.plain || g.o.Strict) {
		r.In("info", -1)
		r.Fail(lobbywire.ErrTruncated, "end", r.Offset())
	}
	return false
}

// lacksValue tells whether p, which follows a key, is the next key: GameSpy's
// code leaves out a value that the game does not give, in split form. Unreal
// Tournament 3 gives none for some properties, which have keys like p268435999.
func (g *gatherer) lacksValue(p []byte) bool {
	if g.o.Strict || g.plain {
		return false
	}
	n := property(p)
	return n > 0 && n < len(p) && p[n] == 0
}

// propertyDigits is how many digits the shortest property of Unreal Tournament
// 3 has, the number of which is 0x10000001 or above.
const propertyDigits = 9

// property returns the length of the property that p starts with, 0 for none.
func property[T string | []byte](p T) int {
	if len(p) == 0 || p[0] != 'p' {
		return 0
	}
	n := 1
	for n < len(p) && p[n] >= '0' && p[n] <= '9' {
		n++
	}
	if n <= propertyDigits {
		return 0
	}
	return n
}

func (g *gatherer) readTable(r *wire.Reader, section int) {
	for r.Len() > 0 {
		p := r.Peek()
		if p[0] == 0 {
			r.In(sectionNames[section], -1)
			r.Uint8("end")
			return
		}
		if g.o.Strict && isTable(p[0]) {
			r.In(sectionNames[section], -1)
			r.Fail(lobbywire.ErrInvalid, "end", r.Offset())
		}
		if !g.readColumn(r, section) {
			return
		}
	}
	if g.o.Strict && g.last {
		r.In(sectionNames[section], -1)
		r.Fail(lobbywire.ErrTruncated, "end", r.Offset())
	}
}

// readColumn reads a column with its values. It returns false if the section
// ends there.
func (g *gatherer) readColumn(r *wire.Reader, section int) (more bool) {
	r.In(columnNames[section], len(g.columns[section]))
	at := r.Offset()
	if nameLen(r.Peek()) > MaxName {
		if g.o.Strict {
			r.Fail(lobbywire.ErrTooLarge, "name", at)
		}
		return false
	}
	name := r.Text0("name")
	if r.Len() == 0 && !g.last {
		return false // a name that was cut, or its start
	}
	row := int(r.Uint8("start"))
	if r.Failed() {
		return false
	}
	table := tableOf(name, section)
	column := g.column(r, table, name, at)
	r.In(columnNames[table], column)
	for r.Len() > 0 {
		p := r.Peek()
		if p[0] != 0 {
			read := g.readValue(r, table, column, row)
			row++
			if read && r.Len() == 0 && !g.last {
				g.dangle = cutCell
			}
			continue
		}
		if !g.o.Strict {
			lacking := unknown
			if column > 0 {
				lacking = max(0, g.rows[table]-row)
			}
			zeros := zerosOf(p, lacking, g.last)
			for range zeros.values {
				g.readValue(r, table, column, row)
				row++
			}
			r.Skip(zeros.ignored, "ignored")
			if !zeros.end {
				continue
			}
		}
		r.Uint8("end")
		return g.o.Strict || r.Len() == 0 || !isTable(r.Peek()[0])
	}
	if g.o.Strict && g.last {
		r.Fail(lobbywire.ErrTruncated, "end", r.Offset())
	}
	return false
}

// nameLen returns the length of the text at the start of p.
func nameLen(p []byte) int {
	if n := bytes.IndexByte(p, 0); n >= 0 {
		return n
	}
	return len(p)
}

// tableOf returns the section that a column belongs to: the name tells more
// reliably than the section that the column is in.
func tableOf(name string, section int) int {
	switch {
	case strings.HasSuffix(name, "_t"):
		return teams
	case strings.HasSuffix(name, "_"):
		return players
	}
	return section
}

// column returns the number of the column called name, a new one if need be.
func (g *gatherer) column(r *wire.Reader, table int, name string, at int) int {
	if i := slices.Index(g.columns[table], name); i >= 0 {
		return i
	}
	n := len(g.columns[table])
	if n == MaxColumns || g.rows[table]*(n+1) > g.o.maxTableValues() {
		r.Fail(lobbywire.ErrTooLarge, "name", at)
	}
	if n == 0 {
		g.columns[table] = make([]string, 0, 8)
	}
	g.columns[table] = append(g.columns[table], name)
	return n
}

func (g *gatherer) readValue(r *wire.Reader, table, column, row int) (read bool) {
	if (row+1)*len(g.columns[table]) > g.o.maxTableValues() {
		r.Fail(lobbywire.ErrTooLarge, "value", r.Offset())
	}
	value := r.Text0("value")
	if r.Failed() {
		return false
	}
	if g.cells == nil {
		g.cells = make([]cell, 0, min(max(g.texts-2*len(g.info), 0), 2*g.o.maxTableValues()))
	}
	g.rows[table] = max(g.rows[table], row+1)
	g.cells = append(g.cells, cell{value, int32(row), int16(column), int16(table)})
	return true
}

// finish makes a response of what was gathered. Values that did not come are "".
func (g *gatherer) finish(m *Response) {
	g.settle(nil)
	m.Split = true
	m.Sections = AllSections
	m.Info = g.info
	if m.Info == nil {
		m.Info = []KeyValue{}
	}
	var rows [3]int
	for _, c := range g.cells {
		rows[c.section] = max(rows[c.section], int(c.row)+1)
	}
	for section := players; section <= teams; section++ {
		t := m.table(section)
		t.Columns = g.columns[section]
		if t.Columns == nil {
			t.Columns = []string{}
		}
		t.Rows = newRows(rows[section], len(t.Columns))
	}
	for _, c := range g.cells {
		m.table(int(c.section)).Rows[c.row][c.column] = c.value
	}
	m.Partial = g.partial
}

// newRows returns rows of empty values, in two allocations.
func newRows(rows, columns int) [][]string {
	list := make([][]string, rows)
	values := make([]string, rows*columns)
	for i := range list {
		list[i] = values[i*columns : (i+1)*columns : (i+1)*columns]
	}
	return list
}
