package qr2

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Heartbeat registers a server with a master, reports changes and keeps the server
// listed. Its body has the plain form of a [gamespy2.Response]: keys and values in
// turn, a zero byte after the last, then the tables of players and teams, row by row.
//
// It begins with keys about the server itself, which [Heartbeat.Identity] returns. Clients
// also get the other keys from the server itself.
//
//wire:message ToMaster type=typeHeartbeat
type Heartbeat struct {
	// Key is the instance key: 4 bytes that the server chooses when it starts.
	Key [4]byte `wire:"key"`

	// Info is in the order of the wire. If a key is repeated, its last value counts; see
	// [Heartbeat.Lookup].
	Info []gamespy2.KeyValue

	// Players and Teams are the tables. A table is nil if the heartbeat ends before
	// it. The SDK sends both or, when the server stops or they do not fit, neither.
	Players, Teams *gamespy2.Table
}

// Lookup returns the value of a key of Info, and reports whether Info contains the key.
func (m Heartbeat) Lookup(key string) (value string, ok bool) {
	return gamespy2.Response{Info: m.Info}.Lookup(key)
}

// decode accepts a heartbeat that ends after any section. By default one or two bytes
// in place of a table, such as a row count with nothing after it, are ignored.
func (m *Heartbeat) decode(r *wire.Reader, o Options) {
	if o.Strict && r.Len() > MaxHeartbeat {
		r.Exceed("", MaxHeartbeat, r.Len(), MaxHeartbeat)
	}
	r.DecodeTexts(o.Text)
	m.decodeHeader(r)
	m.Info = decodeInfo(r)
	m.Players = decodeTable(r, o, "players", "players.columns", "players.rows")
	if m.Players != nil {
		m.Teams = decodeTable(r, o, "teams", "teams.columns", "teams.rows")
	}
	decodeEnd(r, o)
}

// A heartbeat has the sections of a [gamespy2.Response] in plain form, but code of its own:
// most of the code there is for responses that are cut at any byte or lack sections, which
// a heartbeat must not be. A test compares the two.

// decodeInfo reads keys and values and the zero byte after them.
func decodeInfo(r *wire.Reader) []gamespy2.KeyValue {
	list := make([]gamespy2.KeyValue, 0, r.CountPairs())
	for p := r.Peek(); len(p) > 0 && p[0] != 0; p = r.Peek() {
		r.In("info", len(list))
		key := r.Text0("key")
		list = append(list, gamespy2.KeyValue{Key: key, Value: r.Text0("value")})
		if r.Failed() {
			break
		}
	}
	r.In("info", -1)
	r.Uint8("end")
	r.In("", -1)
	return list
}

const (
	emptyTable   = 3 // bytes of a table without columns and rows
	usualColumns = 8 // room for the columns that most games have
)

// decodeTable reads a table. It returns nil if there is none.
func decodeTable(r *wire.Reader, o Options, table, column, row string) *gamespy2.Table {
	if n := r.Len(); n == 0 || n < emptyTable && !o.Strict || r.Failed() {
		return nil
	}
	t := gamespy2.Table{Columns: []string{}, Rows: [][]string{}}
	r.In(table, -1)
	at := r.Offset()
	rows := int(r.Uint16("count"))
	for p := r.Peek(); len(p) > 0 && p[0] != 0; p = r.Peek() {
		r.In(column, len(t.Columns))
		switch len(t.Columns) {
		case 0:
			t.Columns = make([]string, 0, usualColumns)
		case gamespy2.MaxColumns:
			r.Exceed("name", r.Offset(), gamespy2.MaxColumns+1, gamespy2.MaxColumns)
		}
		t.Columns = append(t.Columns, r.Text0("name"))
		if r.Failed() {
			return nil
		}
	}
	r.In(table, -1)
	r.Uint8("end")
	columns := len(t.Columns)
	if columns == 0 {
		if o.Strict && rows > 0 {
			r.Refuse("count", at, "rows without columns")
		}
		rows = 0
	}
	// Each value has at least one byte, so the input bounds the allocation.
	values := make([]string, r.Count(uint32(rows*columns), 1, gamespy2.MaxTableValues, "count", at))
	if r.Failed() {
		return nil
	}
	t.Rows = make([][]string, rows)
	for i := range t.Rows {
		r.In(row, i)
		t.Rows[i] = values[i*columns : (i+1)*columns : (i+1)*columns]
		for j := range t.Rows[i] {
			t.Rows[i][j] = r.Text0("value")
		}
	}
	r.In("", -1)
	return &t
}

// append fails if
//
//   - there are Teams without Players
//   - a text contains a zero byte
//   - the name of a key or column is empty
//   - a row does not have one value for each column, or there are no columns
//   - there are more than [gamespy2.MaxColumns] columns or
//     [gamespy2.MaxTableValues] values
//   - the heartbeat is longer than [MaxHeartbeat]
func (m *Heartbeat) append(w *wire.Writer) {
	m.appendHeader(w)
	appendInfo(w, m.Info)
	w.Uint8(0)
	if m.Players == nil && m.Teams != nil {
		w.Refuse("players", "missing before teams")
	}
	appendTable(w, "players", "players.columns", "players.rows", m.Players)
	appendTable(w, "teams", "teams.columns", "teams.rows", m.Teams)
	if size := w.Len(); size > MaxHeartbeat {
		w.Exceed("", size, MaxHeartbeat)
	}
}

// appendInfo appends keys and values. It checks all texts at once, and looks for the
// invalid one only if there is one.
func appendInfo(w *wire.Writer, info []gamespy2.KeyValue) {
	b := w.Buffer()
	start, ok := len(b), true
	for i := range info {
		kv := &info[i]
		ok = ok && kv.Key != ""
		b = append(b, kv.Key...)
		b = append(b, 0)
		b = append(b, kv.Value...)
		b = append(b, 0)
	}
	if ok && bytes.Count(b[start:], []byte{0}) == 2*len(info) {
		w.SetBuffer(b)
		return
	}
	for i, kv := range info {
		w.In("info", i)
		appendName(w, "key", kv.Key)
		w.Text0("value", kv.Value)
	}
	w.In("", -1)
}

// appendTable appends a table, unless it is nil. It checks the texts as appendInfo does.
func appendTable(w *wire.Writer, table, column, row string, t *gamespy2.Table) {
	if t == nil {
		return
	}
	w.In(table, -1)
	switch columns, rows := len(t.Columns), len(t.Rows); {
	case columns == 0 && rows > 0:
		w.Refuse("count", "rows without columns")
	case columns > gamespy2.MaxColumns:
		w.Exceed("columns", columns, gamespy2.MaxColumns)
	case rows > gamespy2.MaxTableValues/max(columns, 1):
		w.Exceed("count", rows*columns, gamespy2.MaxTableValues)
	}
	w.Uint16(uint16(len(t.Rows)))
	if b, ok := appendRows(w.Buffer(), t); ok {
		w.SetBuffer(b)
		w.In("", -1)
		return
	}
	for i, name := range t.Columns {
		w.In(column, i)
		appendName(w, "name", name)
	}
	for i, values := range t.Rows {
		w.In(row, i)
		if len(values) != len(t.Columns) {
			w.Refuse("", strconv.Itoa(len(values))+" values in "+strconv.Itoa(len(t.Columns))+" columns")
		}
		for _, value := range values {
			w.Text0("value", value)
		}
	}
	w.In("", -1)
}

// appendRows appends a table without its row count, and reports whether it is valid. There
// are more zero bytes than texts if a text contains one.
func appendRows(b []byte, t *gamespy2.Table) (out []byte, ok bool) {
	start, texts := len(b), len(t.Columns)+1
	ok = !slices.Contains(t.Columns, "")
	b = append(appendTexts(b, t.Columns), 0)
	for _, values := range t.Rows {
		ok = ok && len(values) == len(t.Columns)
		texts += len(values)
		b = appendTexts(b, values)
	}
	return b, ok && bytes.Count(b[start:], []byte{0}) == texts
}

// appendTexts appends texts, a zero byte after each.
func appendTexts(b []byte, texts []string) []byte {
	for _, s := range texts {
		b = append(b, s...)
		b = append(b, 0)
	}
	return b
}

// appendName appends the name of a key or column.
func appendName(w *wire.Writer, field, name string) {
	if name == "" {
		w.Refuse(field, "missing")
	}
	w.Text0(field, name)
}
