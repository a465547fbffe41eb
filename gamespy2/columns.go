package gamespy2

import (
	"bytes"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// readTable reads the columns of a section and the zero byte after them.
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
			r.Refuse("end", r.Offset(), "missing")
		}
		if !g.readColumn(r, section) {
			return
		}
	}
	if t := &g.tables[section]; g.ending != endsWhole && t.columns == 1 && t.names()[0] == playerColumn {
		return // as in a full stat of Minecraft
	}
	r.In(sectionNames[section], -1)
	g.missEnd(r)
}

// readColumn reads a column with its values. It reports whether more of the
// section may follow.
func (g *gatherer) readColumn(r *wire.Reader, section int) (more bool) {
	r.In(columnNames[section], g.tables[section].columns)
	at := r.Offset()
	if nameLen(r.Peek()) > MaxName {
		if g.o.Strict {
			r.Exceed("name", at, nameLen(r.Peek()), MaxName)
		}
		return false
	}
	if g.atEnd(r) {
		g.skipCut(r)
		return false
	}
	name := r.Text0("name")
	if g.ending != endsWhole && r.Len() == 0 {
		g.missEnd(r) // the name itself may be cut
		return false
	}
	if g.o.Strict && !isColumnName(name) {
		r.Refuse("name", at, "must end with _ or _t")
	}
	row := int(r.Uint8("start"))
	if g.o.Strict && row > 0 && at != g.first {
		r.Refuse("start", r.Offset()-1, "is not 0, but the packet starts with another item")
	}
	if r.Failed() {
		return false
	}
	table := tableOf(name, section)
	column := g.column(r, table, name, at)
	if r.Failed() {
		return false
	}
	maxRows := g.values / g.tables[table].columns
	r.In(columnNames[table], column)
	if g.wide && bytes.HasPrefix(r.Peek(), make([]byte, paperNumber-1)) {
		r.Skip(paperNumber-1, "ignored")
	}
	for r.Len() > 0 {
		p := r.Peek()
		if p[0] != 0 {
			if g.atEnd(r) {
				g.skipCut(r)
				g.missValue(table, column, row, maxRows)
				return false
			}
			g.readValue(r, table, column, row, maxRows)
			row++
			continue
		}
		if !g.o.Strict {
			lacking := unknown
			if column > 0 {
				lacking = max(0, g.tables[table].most-row)
			}
			zeros := zerosOf(p, lacking, !g.ending.isCut())
			for range zeros.values {
				g.readValue(r, table, column, row, maxRows)
				row++
			}
			r.Skip(zeros.ignored, "ignored")
			if !zeros.end {
				continue
			}
		}
		g.tables[table].lengths[column] = int32(row)
		r.Uint8("end")
		return g.o.Strict || r.Len() == 0 || !isTable(r.Peek()[0])
	}
	g.missEnd(r)
	return false
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

// column returns the index of the column called name, which was read at offset
// at. It adds the column if the table does not have it.
func (g *gatherer) column(r *wire.Reader, section int, name string, at int) int {
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
		rows, more := g.expect(r.Peek(), t.most)
		t.widen(rows, more, limit)
	}
	t.add(name)
	return n
}

// columnEnds is the number of zero bytes of a column that do not end a value:
// after its name, for row 0, and at its end.
const columnEnds = 3

// expect estimates the rows of a table that has rows already, and the number of
// columns after the one whose values p starts with.
func (g *gatherer) expect(p []byte, rows int) (most, columns int) {
	column, _, ended := bytes.Cut(p, []byte{0, 0})
	values := countTexts(column) + 1
	if rows == 0 && !ended && g.ending.isCut() {
		return values, 0 // the first column was cut: the number of rows is unknown
	}
	rows = max(rows, values)
	return rows, max(countTexts(p)+g.later-values-1, 0) / (rows + columnEnds)
}

// missValue adds the row of a value that is cut, without the value.
func (g *gatherer) missValue(section, column, row, maxRows int) {
	if t := &g.tables[section]; row >= t.rows && row < maxRows {
		t.set(row, column, "", maxRows)
	}
}

// readValue reads a value into a cell, unless the packet may be cut in it.
func (g *gatherer) readValue(r *wire.Reader, section, column, row, maxRows int) {
	t := &g.tables[section]
	if row >= maxRows {
		r.Exceed("value", r.Offset(), row+1, maxRows)
	}
	value := r.Text0("value")
	if r.Failed() {
		return
	}
	t.most = max(t.most, row+1)
	if r.Len() == 0 && g.ending == endsOpen {
		g.dangle = item{section, t.names()[column], row}
		return
	}
	t.set(row, column, value, maxRows)
}
