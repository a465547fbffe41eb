package gamespy2

import (
	"bytes"
	"cmp"
	"math"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// decodePlain reads the sections of a response in plain form.
func (m *Response) decodePlain(r *wire.Reader, o Options) {
	cut := wasCut(r, o)
	p := plainReader{o: o, end: endingOf(r, endsWhole)}
	switch {
	case cut:
		p.end.mode = cutSomewhere
	case o.Sections != 0 && r.Len() > 0:
		p.end.tolerate(o)
	}
	m.Info = []KeyValue{}
	m.Players = emptyTable()
	m.Teams = emptyTable()
	outOfStep := false
	if has(o.Sections, info, guessInfo(r.Peek())) {
		i := infoReader{o: o, plain: true}
		p.end.partial = !i.read(r, &p.end)
		p.end.tolerate(o) // info is complete
		m.Info = i.list
		m.Sections |= SectionInfo
		outOfStep = i.uneven
	}
	r.In("", -1)
	p.kept = m.Sections != 0
	if has(o.Sections, players, r.Len() > 0 && !guessTeams(r.Peek())) {
		m.Players = p.readRows(r, players)
		m.Sections |= SectionPlayers
	}
	if has(o.Sections, teams, r.Len() > 0) {
		if cut && r.Len() == 0 && !p.end.partial {
			m.Players.dropLastValue() // it may be cut
		}
		p.kept = m.Sections != 0
		m.Teams = p.readRows(r, teams)
		m.Sections |= SectionTeams
	}
	r.In("", -1)
	if o.Strict {
		r.End()
	}
	surplus := skipRest(r)
	m.Partial = p.end.partial || outOfStep || surplus
}

// A plainReader reads the tables of a response in plain form.
type plainReader struct {
	o    Options
	end  ending
	kept bool // a section before the table has been read
}

// wasCut reports whether the server may have cut the response. When its buffer is
// full, GameSpy's code sets the last byte to 0 and sends the buffer. A response
// with all of its values counts as whole even then.
func wasCut(r *wire.Reader, o Options) bool {
	p := r.Peek()
	return !o.Strict && r.Offset()+len(p) == MaxPacket && p[len(p)-1] == 0
}

// guessInfo reports whether a response starts with info. The first byte of info
// belongs to a key, and a row count that starts with such a byte is too large.
func guessInfo(p []byte) bool { return len(p) < 2 || p[0] != 0 }

// guessTeams reports whether a table lists teams, judged by its first column.
func guessTeams(p []byte) bool {
	name := p[min(2, len(p)):]
	n := bytes.IndexByte(name, 0)
	return n >= 0 && bytes.HasSuffix(name[:n], []byte("_t"))
}

func emptyTable() Table { return Table{Columns: []string{}, Rows: [][]string{}} }

// readRows reads a table.
func (p *plainReader) readRows(r *wire.Reader, section int) Table {
	t := emptyTable()
	r.In(sectionNames[section], -1)
	if section == players && hasSurplusZero(r.Peek()) {
		if p.o.Strict {
			r.Refuse("count", r.Offset(), "follows a surplus zero byte")
		}
		r.Skip(1, "ignored")
	}
	if !p.o.Strict && lacksCount(r.Peek()) {
		return p.readUncounted(r, section)
	}
	if p.end.mayBeEarly() && r.Len() < 2 {
		r.Skip(r.Len(), "cut")
		p.end.partial = true
		return t
	}
	at := r.Offset()
	rows := int(r.Uint16("count"))
	if !p.readColumnNames(r, section, &t, rows, at) {
		return t
	}
	columns := len(t.Columns)
	if columns == 0 {
		if p.o.Strict && rows > 0 {
			r.Refuse("count", at, "is not 0, but there are no columns")
		}
		return t
	}
	values := rows * columns
	if p.end.mayBeEarly() {
		if whole := countTexts(r.Peek()); whole < values {
			values = whole
			if p.end.isCut() && values > 0 {
				values-- // the last value may be cut
			}
			started := values
			if p.end.texts < r.Offset()+r.Len() || whole > values {
				started++
			}
			rows = (started + columns - 1) / columns
			p.end.partial = true
		}
	}
	// Each value has at least one byte, so the input bounds the allocation.
	r.Count(uint32(values), 1, MaxTableValues, "count", at)
	if r.Failed() {
		return t
	}
	t.Rows = newRows(rows, columns)
	for i, row := range t.Rows {
		r.In(rowNames[section], i)
		for j := range row[:min(columns, values-i*columns)] {
			row[j] = r.Text0("value")
		}
	}
	if p.end.partial {
		r.In(sectionNames[section], -1)
		r.Skip(r.Len(), "cut")
	}
	return t
}

// hasSurplusZero reports whether a zero byte precedes the row count of players: a mod of
// SWAT 4 ends info with an empty value after the empty key.
func hasSurplusZero(p []byte) bool {
	return len(p) > 3 && p[0] == 0 && p[1] == 0 && bytes.HasPrefix(p[3:], []byte(playerColumn+"\x00"))
}

// lacksCount reports whether the column names of a table follow the first byte of the row
// count, without the second byte, as in America's Army.
func lacksCount(p []byte) bool {
	return len(p) > 0 && p[0] == 0 &&
		(bytes.HasPrefix(p[1:], []byte(playerColumn+"\x00")) || bytes.HasPrefix(p[1:], []byte("team_t\x00")))
}

// readUncounted reads a table without a row count. It ends before a row whose first value is
// empty, or at the end of the response.
func (p *plainReader) readUncounted(r *wire.Reader, section int) Table {
	t := emptyTable()
	at := r.Offset()
	r.Uint8("count")
	p.end.tolerate(p.o)
	if !p.readColumnNames(r, section, &t, 0, at) || len(t.Columns) == 0 {
		return t
	}
	maxRows := MaxTableValues / len(t.Columns)
	texts := countTexts(r.Peek())
	for r.Len() > 0 && r.Peek()[0] != 0 {
		r.In(rowNames[section], len(t.Rows))
		if len(t.Rows) == maxRows {
			r.Exceed("value", r.Offset(), len(t.Rows)+1, maxRows)
		}
		if texts < len(t.Columns) {
			r.Skip(r.Len(), "cut")
			p.end.partial = true
			return t
		}
		texts -= len(t.Columns)
		row := make([]string, len(t.Columns))
		for i := range row {
			row[i] = r.Text0("value")
		}
		if !r.Failed() {
			t.Rows = append(t.Rows, row)
		}
	}
	p.end.partial = p.end.partial || r.Len() == 0 && p.end.isCut()
	return t
}

// readColumnNames reads the column names of a table whose row count is at offset
// at. It reports whether values may follow.
func (p *plainReader) readColumnNames(r *wire.Reader, section int, t *Table, rows, at int) (more bool) {
	for {
		if p.end.mayBeEarly() && r.Len() == 0 {
			p.end.partial = true
			if p.end.isCut() {
				t.Columns = t.Columns[:max(len(t.Columns)-1, 0)] // the last one may be cut
			}
			return false
		}
		if next := r.Peek(); len(next) > 0 && next[0] == 0 {
			r.In(sectionNames[section], -1)
			r.Uint8("end")
			return !r.Failed()
		}
		n := len(t.Columns)
		if n == 0 {
			t.Columns = make([]string, 0, 8)
		}
		r.In(sectionNames[section], -1)
		if rows*(n+1) > MaxTableValues && r.Len() > 0 {
			if p.skips(r, t) {
				return false
			}
			r.Exceed("count", at, rows*(n+1), MaxTableValues)
		}
		r.In(columnNames[section], n)
		if n == MaxColumns && r.Len() > 0 {
			if p.skips(r, t) {
				return false
			}
			r.Exceed("name", r.Offset(), n+1, MaxColumns)
		}
		if p.end.isInText(r) {
			p.end.skipText(r)
			return false
		}
		name := r.Text0("name")
		if r.Failed() {
			return false
		}
		t.Columns = append(t.Columns, name)
		if isColumnName(name) {
			p.end.tolerate(p.o) // these are columns, whatever follows
		}
	}
}

// skips skips a table that exceeds a limit and everything after it, because its row count
// may be wrong, if an earlier section can be kept. Otherwise it returns false.
func (p *plainReader) skips(r *wire.Reader, t *Table) bool {
	if p.o.Strict || !p.kept {
		return false
	}
	r.Skip(r.Len(), "ignored")
	t.Columns = t.Columns[:0]
	p.end.partial = true
	return true
}

// dropLastValue marks the last value of a table as missing.
func (t *Table) dropLastValue() {
	if n := len(t.Rows); n > 0 {
		row := t.Rows[n-1]
		row[len(row)-1] = ""
	}
}

// newRows returns rows of empty values. It allocates twice.
func newRows(rows, columns int) [][]string {
	list := make([][]string, rows)
	values := make([]string, rows*columns)
	for i := range list {
		list[i] = values[i*columns : (i+1)*columns : (i+1)*columns]
	}
	return list
}

// appendPlain appends the plain form.
func (m *Response) appendPlain(w *wire.Writer) {
	sections := cmp.Or(m.Sections, AllSections)
	m.checkPlain(w, sections)
	if w.Failed() {
		return
	}
	start, ends := m.appendPlainSections(w, sections)
	if countTexts(w.Buffer()[start:]) != m.texts()+ends {
		m.check(w, true)
	}
}

// appendPlainSections appends a header and sections. It returns the offset of the sections,
// and the number of zero bytes that do not end a text.
func (m *Response) appendPlainSections(w *wire.Writer, sections Sections) (start, ends int) {
	m.appendHeader(w)
	b := w.Buffer()
	start = len(b)
	if sections&SectionInfo != 0 {
		b = appendInfo(b, m.Info)
		ends++
	}
	for section := players; section <= teams; section++ {
		if sections&(1<<section) != 0 {
			t := m.table(section)
			b = append(b, byte(len(t.Rows)>>8), byte(len(t.Rows)))
			ends += countTexts(b[len(b)-2:]) + 1
			b = appendRows(b, t)
		}
	}
	w.SetBuffer(b)
	if size := w.Len(); size > maxDatagram {
		w.Exceed("", size, maxDatagram)
	}
	return start, ends
}

// appendRows appends a table without its row count.
func appendRows(b []byte, t *Table) []byte {
	for _, name := range t.Columns {
		b = append(b, name...)
		b = append(b, 0)
	}
	b = append(b, 0)
	for _, row := range t.Rows {
		for _, value := range row {
			b = append(b, value...)
			b = append(b, 0)
		}
	}
	return b
}

// checkPlain refuses what the plain form cannot carry, except zero bytes.
func (m *Response) checkPlain(w *wire.Writer, sections Sections) {
	unsent := AllSections &^ sections
	if sections > AllSections ||
		unsent&SectionInfo != 0 && len(m.Info) > 0 ||
		unsent&SectionPlayers != 0 && len(m.Players.Columns)+len(m.Players.Rows) > 0 ||
		unsent&SectionTeams != 0 && len(m.Teams.Columns)+len(m.Teams.Rows) > 0 {
		w.Refuse("sections", "unknown, or without one that has values")
	}
	m.check(w, false)
	if len(m.Info) > 0 && m.Info[0].Key == strings.TrimSuffix(splitMark, "\x00") {
		w.In("info", 0)
		w.Refuse("key", "belongs to the split form")
	}
	if t := &m.Players; len(t.Rows) == 0 && len(t.Columns) > 0 &&
		len(t.Columns[0]) == 1+len(playerColumn) && strings.HasSuffix(t.Columns[0], playerColumn) {
		w.In(columnNames[players], 0)
		w.Refuse("name", "looks like a row count and "+playerColumn)
	}
	for section := players; section <= teams; section++ {
		w.In(sectionNames[section], -1)
		if len(m.table(section).Rows) > math.MaxUint16 {
			w.Exceed("count", len(m.table(section).Rows), math.MaxUint16)
		}
	}
	w.In("", -1)
}
