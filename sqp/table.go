package sqp

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Table is the PlayerInfo or the TeamInfo chunk. The server chooses the
// columns.
//
// count is the number of rows, and fieldCount the number of columns. The columns follow,
// each a name and a type, and then the rows, each with one value per column and without
// types.
//
// Some servers omit the columns, or even their count, if there are no rows.
type Table struct {
	Columns []string    // names; at most 255 columns
	Types   []ValueType // one per column
	Rows    [][]Value   // at most 65535; values have the types of their columns
	Extra   []byte      // fields of a later version

	// Raw is the whole chunk, verbatim, if a column has an unknown type and therefore
	// values of unknown size. Rows and Extra are then empty, and Columns and Types describe
	// Raw.
	Raw []byte
}

// tableName is the name of the table in errors.
type tableName int

const (
	playerInfo tableName = iota
	teamInfo
)

// The names of a table's parts.
func (n tableName) table() string   { return [...]string{"playerInfo", "teamInfo"}[n] }
func (n tableName) columns() string { return [...]string{"playerInfo.columns", "teamInfo.columns"}[n] }
func (n tableName) rows() string    { return [...]string{"playerInfo.rows", "teamInfo.rows"}[n] }

func decodePlayerInfo(r *wire.Reader, o Options) *Table { return decodeTable(r, o, playerInfo) }
func decodeTeamInfo(r *wire.Reader, o Options) *Table   { return decodeTable(r, o, teamInfo) }

func appendPlayerInfo(w *wire.Writer, m *Table) { m.append(w, playerInfo) }
func appendTeamInfo(w *wire.Writer, m *Table)   { m.append(w, teamInfo) }

// minColumn is the size of the smallest column header: empty name, type.
const minColumn = 2

func decodeTable(r *wire.Reader, o Options, name tableName) *Table {
	m := &Table{Rows: [][]Value{}, Columns: []string{}, Types: []ValueType{}}
	whole := r.Peek()
	r.In(name.table(), -1)
	countAt := r.Offset()
	rows := int(r.Uint16("count"))
	if rows == 0 && r.Len() == 0 {
		return m
	}
	known := m.decodeColumns(r, rows, name)
	if r.Failed() {
		return m
	}
	if rows > 0 && !known {
		r.Skip(r.Len(), "raw")
		m.Rows = nil
		m.Raw = bytes.Clone(whole)
		return m
	}
	r.In(name.table(), -1)
	columns := len(m.Columns)
	if rows > 0 && columns == 0 {
		r.Refuse("fieldCount", r.Offset()-1, "columns are missing")
	}
	// Each value has at least one byte, so this bounds the allocation.
	n := r.Count(uint32(rows*columns), 1, maxTableValues, "count", countAt)
	values := make([]Value, n)
	if n > 0 {
		m.Rows = make([][]Value, rows)
	}
	for i := range m.Rows {
		r.In(name.rows(), i)
		row := values[i*columns : (i+1)*columns : (i+1)*columns]
		for j := range row {
			row[j] = decodeValue(r, m.Types[j])
		}
		m.Rows[i] = row
	}
	r.In(name.table(), -1)
	m.Extra = r.Rest("extra")
	return m
}

// decodeColumns reads the columns and reports whether all their types are known.
func (m *Table) decodeColumns(r *wire.Reader, rows int, name tableName) (known bool) {
	at := r.Offset()
	n := uint32(r.Uint8("fieldCount"))
	if rows == 0 && r.Len() == 0 {
		return true
	}
	columns := r.Count(n, minColumn, math.MaxUint8, "fieldCount", at)
	m.Columns = make([]string, columns)
	m.Types = make([]ValueType, columns)
	known = true
	for i := range columns {
		r.In(name.columns(), i)
		m.Columns[i] = r.Text8("name")
		m.Types[i] = ValueType(r.Uint8("type"))
		known = known && m.Types[i].known()
	}
	return known
}

func (m *Table) append(w *wire.Writer, name tableName) {
	w.In(name.table(), -1)
	if m.Raw != nil {
		switch {
		case len(m.Rows) > 0 || m.Extra != nil:
			w.Refuse("raw", "raw and rows are mutually exclusive")
		case !m.isRaw(name):
			w.Refuse("raw", "has other columns or types")
		}
		w.Bytes(m.Raw)
		return
	}
	columns := len(m.Columns)
	switch {
	case len(m.Rows) > math.MaxUint16:
		w.Exceed("count", len(m.Rows), math.MaxUint16)
	case columns > math.MaxUint8:
		w.Exceed("fieldCount", columns, math.MaxUint8)
	case columns == 0 && len(m.Rows) > 0:
		w.Refuse("fieldCount", "columns are missing")
	case len(m.Types) == 0 && columns > 0:
		w.Refuse("fieldCount", "types are missing")
	case len(m.Types) != columns:
		w.Refuse("fieldCount", strconv.Itoa(len(m.Types))+" types of "+strconv.Itoa(columns)+" columns")
	}
	w.Uint16(uint16(len(m.Rows)))
	w.Uint8(uint8(columns))
	for i, column := range m.Columns {
		w.In(name.columns(), i)
		w.Text8("name", column)
		if i < len(m.Types) {
			w.Uint8(uint8(m.Types[i]))
		}
	}
	rows := name.rows()
	for i, row := range m.Rows {
		w.In(rows, i)
		m.appendRow(w, row)
	}
	w.Bytes(m.Extra)
}

// isRaw reports whether Raw is a chunk with the columns of the Table, and decodes
// as Raw.
func (m *Table) isRaw(name tableName) bool {
	r := wire.NewReader(m.Raw)
	t := decodeTable(&r, Options{}, name)
	return !r.Failed() && t.Raw != nil && slices.Equal(t.Columns, m.Columns) && slices.Equal(t.Types, m.Types)
}

func (m *Table) appendRow(w *wire.Writer, row []Value) {
	if len(row) != len(m.Types) {
		w.Refuse("", strconv.Itoa(len(row))+" values in "+strconv.Itoa(len(m.Types))+" columns")
		return
	}
	for j, t := range m.Types {
		v := &row[j]
		if v.typ != t || !t.known() {
			w.Refuse("value", "type of column "+strconv.Itoa(j))
			return
		}
		v.append(w)
	}
}
