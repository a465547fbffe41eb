package gamespy2

import (
	"bytes"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A tableReader reads the columns of players and teams in a packet.
type tableReader struct {
	o   Options
	end ending

	first int  // offset of the packet's first column, if it starts with one
	wide  bool // numbers in the section of the players have four bytes, as in some versions of Paper
}

// readTable reads the columns of a section and the zero byte after them.
func (p *tableReader) readTable(r *wire.Reader, g *gatherer, section int) {
	for r.Len() > 0 {
		next := r.Peek()[0]
		if next == 0 {
			r.In(sectionNames[section], -1)
			r.Uint8("end")
			return
		}
		if p.o.Strict && isTable(next) {
			r.In(sectionNames[section], -1)
			r.Refuse("end", r.Offset(), "missing")
		}
		if !p.readColumn(r, g, section) {
			return
		}
	}
	if t := &g.tables[section]; p.end.mayBeEarly() && t.columns == 1 && t.names()[0] == playerColumn {
		return // as in a full stat of Minecraft
	}
	r.In(sectionNames[section], -1)
	p.end.miss(r)
}

// readColumn reads a column with its values. It reports whether more of the
// section may follow.
func (p *tableReader) readColumn(r *wire.Reader, g *gatherer, section int) (more bool) {
	r.In(columnNames[section], g.tables[section].columns)
	at := r.Offset()
	name, row, ok := p.readColumnStart(r)
	if !ok {
		return false
	}
	section = tableOf(name, section)
	index := p.column(r, g, section, name, at)
	if r.Failed() {
		return false
	}
	g.outOfStep = g.outOfStep || row > int(g.tables[section].lengths[index])
	r.In(columnNames[section], index)
	if p.wide && bytes.HasPrefix(r.Peek(), make([]byte, paperNumber-1)) {
		r.Skip(paperNumber-1, "ignored")
	}
	c := column{section: section, index: index, row: row, maxRows: g.values / g.tables[section].columns}
	return p.readValues(r, g, &c)
}

// readColumnStart reads the name of a column and the row of its first value. It reports
// whether values follow.
func (p *tableReader) readColumnStart(r *wire.Reader) (name string, row int, ok bool) {
	at := r.Offset()
	if n := nameLen(r.Peek()); n > MaxName {
		if p.o.Strict {
			r.Exceed("name", at, n, MaxName)
		}
		return "", 0, false
	}
	if p.end.isInText(r) {
		p.end.skipText(r)
		return "", 0, false
	}
	name = r.Text0("name")
	if p.end.mayBeEarly() && r.Len() == 0 {
		p.end.miss(r) // the name itself may be cut
		return "", 0, false
	}
	if p.o.Strict && !isColumnName(name) {
		r.Refuse("name", at, "must end with _ or _t")
	}
	row = int(r.Uint8("start"))
	if p.o.Strict && row > 0 && at != p.first {
		r.Refuse("start", r.Offset()-1, "is not 0, but the packet starts with another item")
	}
	return name, row, !r.Failed()
}

// nameLen returns the length of the text at the start of p.
func nameLen(p []byte) int {
	if n := bytes.IndexByte(p, 0); n >= 0 {
		return n
	}
	return len(p)
}

// tableOf returns the section that a column belongs to. The ending of the name is
// more reliable than the section that the column is in.
func tableOf(name string, section int) int {
	switch {
	case strings.HasSuffix(name, "_t"):
		return teams
	case strings.HasSuffix(name, "_"):
		return players
	}
	return section
}

// column returns the index of the column called name, which was read at offset at. It adds
// the column if the table lacks it.
func (p *tableReader) column(r *wire.Reader, g *gatherer, section int, name string, at int) int {
	t := &g.tables[section]
	if i := slices.Index(t.names(), name); i >= 0 {
		return i
	}
	n := t.columns
	limit := g.values
	if n == MaxColumns || t.most*(n+1) > limit {
		r.Fail(wire.TooLarge("there are too many columns or values"), "name", at)
		return n
	}
	if n == t.width {
		rows, more := p.expect(r.Peek(), t.most, g.later)
		t.widen(rows, more, limit)
	}
	t.add(name)
	return n
}

// columnEnds is the number of zero bytes of a column that do not end a value: one after its
// name, one for row 0, and one at its end.
const columnEnds = 3

// expect estimates the rows of a table that has rows already, and the number of columns
// after the one whose values next starts with. The packets after this one contain at most
// later texts.
func (p *tableReader) expect(next []byte, rows, later int) (most, columns int) {
	column, _, ended := bytes.Cut(next, []byte{0, 0})
	values := countTexts(column) + 1
	if rows == 0 && !ended && p.end.isCut() {
		return values, 0 // the first column was cut: the number of rows is unknown
	}
	rows = max(rows, values)
	return rows, max(countTexts(next)+later-values-1, 0) / (rows + columnEnds)
}

// A column is a column being read, with the row of its next value.
type column struct {
	section      int
	index        int
	row, maxRows int
}

// readValues reads the values of a column and the zero byte after them. It reports
// whether more of the section may follow.
func (p *tableReader) readValues(r *wire.Reader, g *gatherer, c *column) (more bool) {
	for r.Len() > 0 {
		switch {
		case r.Peek()[0] == 0:
			if !p.readZeros(r, g, c) {
				continue
			}
			r.Uint8("end")
			return p.o.Strict || r.Len() == 0 || !isTable(r.Peek()[0])
		case p.end.isInText(r):
			p.end.skipText(r)
			if t := &g.tables[c.section]; c.row >= t.rows && c.row < c.maxRows {
				t.set(c.row, c.index, "", c.maxRows) // the row exists, although its value is cut
			}
			return false
		default:
			p.readValue(r, g, c)
		}
	}
	p.end.miss(r)
	return false
}

// readZeros reads the empty values in a run of zero bytes, and reports whether the column
// ends there.
func (p *tableReader) readZeros(r *wire.Reader, g *gatherer, c *column) (ended bool) {
	if p.o.Strict {
		return true
	}
	lacking := unknown
	if c.index > 0 {
		lacking = max(0, g.tables[c.section].most-c.row)
	}
	zeros := zerosOf(r.Peek(), lacking, !p.end.isCut())
	for range zeros.values {
		p.readValue(r, g, c)
	}
	r.Skip(zeros.ignored, "ignored")
	return zeros.end
}

// readValue reads a value into a cell, unless the packet may be cut within it.
func (p *tableReader) readValue(r *wire.Reader, g *gatherer, c *column) {
	if c.row >= c.maxRows {
		r.Exceed("value", r.Offset(), c.row+1, c.maxRows)
	}
	value := r.Text0("value")
	if r.Failed() {
		return
	}
	t := &g.tables[c.section]
	t.most = max(t.most, c.row+1)
	if p.end.isUnsure(r) {
		g.unsure = item{c.section, t.names()[c.index], c.row, c.maxRows, value}
	} else {
		t.set(c.row, c.index, value, c.maxRows)
	}
	c.row++
	t.lengths[c.index] = max(t.lengths[c.index], int32(c.row))
}
