package gamespy2

import "slices"

// A Response answers a query for all keys of some sections. The flags of the
// query select one of two forms.
//
// The plain form is one packet. Only the query says which sections it contains. Info is
// keys and values in turn; a zero byte ends it. Players and teams consist of the number of
// rows, the names of the columns with a zero byte after the last, and the values row by
// row.
//
// The split form is one or more packets. Together they contain all sections. Each packet
// starts as [Packet] describes. Each section starts with its number, which is 0 for info, 1
// for players and 2 for teams. Info has the same layout in both forms. Players and teams
// are lists of columns: a name, start, which is the row of the first value, the values, and
// a zero byte. Another zero byte ends the section.
//
//wire:message type=TypeQuery
type Response struct {
	ID    [4]byte `wire:"id"` // of the request
	Split bool    // reports whether the response has the split form

	// Sections are the sections of a plain response. When encoding, 0 means all. A split
	// response contains all; with info and players only, it is encoded as a full stat of
	// Minecraft; see [Minecraft].
	Sections Sections

	// Info is in the order of the wire. If a key is repeated, its last value counts; see
	// [Response.Lookup].
	Info []KeyValue

	// Players is the table whose columns end in _, starting with player_.
	Players Table

	// Teams is the table whose columns end in _t, usually team_t and score_t.
	Teams Table

	// Partial reports that packets are missing or that the server cut the response: the
	// values are right, but not all. A partial Response cannot be encoded.
	Partial bool
}

// A KeyValue is one property of Info. The texts hold the bytes of the wire;
// [lobbywire.UTF8] converts the texts of games that send Windows-1252.
type KeyValue struct {
	Key   string
	Value string
}

// A Table has one row for each player or team.
type Table struct {
	Columns []string   // names as on the wire, such as "score_"
	Rows    [][]string // each with one value for each column; "" if missing
}

// Column returns the index of the column with a name, or -1.
func (t Table) Column(name string) int { return slices.Index(t.Columns, name) }

// equal reports whether both tables have the same texts.
func (t *Table) equal(other *Table) bool {
	return slices.Equal(t.Columns, other.Columns) && slices.EqualFunc(t.Rows, other.Rows, slices.Equal)
}

// Lookup returns the value of a key of Info, and reports whether Info contains the key.
func (m Response) Lookup(key string) (value string, ok bool) {
	for _, kv := range m.Info {
		if kv.Key == key {
			value, ok = kv.Value, true
		}
	}
	return value, ok
}

// value returns the value of a key of Info, or "".
func (m *Response) value(key string) string {
	value, _ := m.Lookup(key)
	return value
}

// table returns the table of a section.
func (m *Response) table(section int) *Table {
	if section == teams {
		return &m.Teams
	}
	return &m.Players
}

// cell returns the value of a row in a column, or "".
func cell(row []string, column int) string {
	if column < 0 || column >= len(row) {
		return ""
	}
	return row[column]
}

// playerColumn is the first column of Players.
const playerColumn = "player_"
