package gamespy2

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Response answers a query for all keys of some sections. The flags of the
// query select one of two forms.
//
// The plain form is one packet. Only the query says which sections it has. Info
// is keys and values in turn; a zero byte ends it. Players and teams have the
// number of rows, the names of the columns with a zero byte after the last, and
// the values row by row.
//
// The split form is one or more packets. Together they have all sections. Each
// packet starts as [Packet] describes. Each section starts with its number, which
// is 0 for info, 1 for players and 2 for teams. Info has the same layout in both
// forms. Players and teams are lists of columns: a name, start, which is the row
// of the first value, the values, and a zero byte. Another zero byte ends the
// section.
//
//wire:message type=TypeQuery
type Response struct {
	ID    [4]byte `wire:"id"` // of the request
	Split bool    // reports whether the response has the split form

	// Sections are the sections of a plain response. When encoding, 0 means
	// all. A split response has all. One that is encoded with info and players
	// only is a full stat of Minecraft; see [Minecraft].
	Sections Sections

	// Info is in the order of the wire. If it has a key twice, the last one
	// counts; see [Response.Lookup].
	Info []KeyValue

	// Players has columns that end in _, with player_ first.
	Players Table

	// Teams has columns that end in _t, usually team_t and score_t.
	Teams Table

	// Partial means that packets are missing or that the server cut the
	// response: the values are right, but there should be more. A partial
	// Response cannot be encoded.
	Partial bool
}

// A KeyValue is one property of Info. The texts hold the bytes of the wire;
// [lobbywire.UTF8] converts those of games that send Windows-1252.
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

// Sections is a set of sections of a response, one bit each.
type Sections uint8

// The sections.
const (
	SectionInfo    Sections = 1 << 0
	SectionPlayers Sections = 1 << 1
	SectionTeams   Sections = 1 << 2

	AllSections = SectionInfo | SectionPlayers | SectionTeams
)

// String returns names joined by |, such as "info|teams", or "none".
func (s Sections) String() string { return wire.BitNames(s, sectionNames[:], 0, "none") }

// Section numbers on the wire. The bit of section n in Sections is 1<<n.
const (
	info = iota
	players
	teams
)

// Names of sections and, in errors, of their parts.
var (
	sectionNames = [...]string{"info", "players", "teams"}
	columnNames  = [...]string{"info", "players.columns", "teams.columns"}
	rowNames     = [...]string{"info", "players.rows", "teams.rows"}
)

// decode fails with [lobbywire.ErrUnsupported] at number if the packet is one of
// several of a split response; see [Assembler] and [Options.Part].
//
// For a plain response without [Options.Sections], it guesses the sections. The
// response has info unless it starts with a row count: a byte 0 and more bytes.
// Then players and teams follow as long as there are bytes; a first table whose
// first column ends in _t is teams. No known game sends a response for which the
// guess is wrong.
func (m *Response) decode(r *wire.Reader, o Options) {
	r.DecodeTexts(o.Text)
	m.decodeHeader(r)
	if !isSplit(r.Peek()) {
		m.decodePlain(r, o)
		return
	}
	var p Packet
	p.decodeSplit(r)
	whole := p.Number == 0 && p.Last
	if !whole && !o.Part {
		r.Fail(wire.Unsupported("the response is split"), "number", numberOffset)
	}
	g := gatherer{values: maxValues(r.Len())}
	reader := packetReader{o: o, justCause2: !o.Strict && p.isJustCause2(r.Peek())}
	if reader.justCause2 {
		whole, p.Last = true, true
	}
	reader.read(r, &g, p.Last)
	if !whole {
		g.partial = true
	}
	g.finish(m)
}

// append encodes one packet of up to 65507 bytes; [Response.Packets] returns
// packets of the usual size. It fails if
//
//   - the Response is Partial
//   - a text has a zero byte
//   - a key or column name is empty or longer than [MaxName]
//   - a row does not have one value for each column
//   - in plain form, a value of a first column is empty
//   - in split form, any value of a table is empty, a column name does not end
//     in _ for players or in _t for teams, or two columns have the same name
//   - in a full stat of Minecraft, Info does not start with the keys of [Minecraft]
//     in their order, or there are other columns than player_
//
// Some clients misread the last three.
func (m *Response) append(w *wire.Writer) {
	if m.Split {
		m.appendSplit(w)
	} else {
		m.appendPlain(w)
	}
}

// Lookup returns the value of a key of Info, and reports whether Info has the
// key.
func (m Response) Lookup(key string) (value string, ok bool) {
	for _, kv := range m.Info {
		if kv.Key == key {
			value, ok = kv.Value, true
		}
	}
	return value, ok
}

// value returns the value of a key of Info, "" if Info does not have the key.
func (m *Response) value(key string) string {
	value, _ := m.Lookup(key)
	return value
}

// Values returns the answer to a query that lists keys: their values in Info, or
// "" for a key that Info does not have.
func (m Response) Values(keys Selector) Values {
	v := Values{ID: m.ID, Values: make([]string, keys.Len())}
	for i := range v.Values {
		v.Values[i] = m.value(keys.ID(i).String())
	}
	return v
}

// table returns the table of a section.
func (m *Response) table(section int) *Table {
	if section == teams {
		return &m.Teams
	}
	return &m.Players
}

// check refuses what neither form can send. It looks for zero bytes in texts only
// if zeros is set, as that takes as long as encoding: callers first count the zero
// bytes of the encoded message.
func (m *Response) check(w *wire.Writer, zeros bool) {
	if m.Partial {
		w.Refuse("partial", "a partial response cannot be sent")
	}
	for i, kv := range m.Info {
		w.In("info", i)
		checkName(w, "key", kv.Key)
		if zeros {
			refuseZeros(w, "key", kv.Key)
			refuseZeros(w, "value", kv.Value)
		}
	}
	for section := players; section <= teams; section++ {
		t := m.table(section)
		for i, name := range t.Columns {
			w.In(columnNames[section], i)
			checkName(w, "name", name)
			if zeros {
				refuseZeros(w, "name", name)
			}
		}
		for i, row := range t.Rows {
			if len(t.Columns) == 0 || len(row) != len(t.Columns) {
				w.In(rowNames[section], i)
				w.Refuse("", strconv.Itoa(len(row))+" values in "+strconv.Itoa(len(t.Columns))+" columns")
			}
			if zeros {
				w.In(rowNames[section], i)
				refuseZeros(w, "value", row...)
			}
			if !m.Split {
				row = row[:min(len(row), 1)]
			}
			if column := slices.Index(row, ""); column >= 0 {
				w.In(rowNames[section], i)
				w.Refuse("value", "column "+strconv.Itoa(column)+" is empty")
			}
		}
	}
	w.In("", -1)
}

// checkName refuses a key or column name that is empty or too long.
func checkName(w *wire.Writer, field, name string) {
	switch {
	case name == "":
		w.Refuse(field, "missing")
	case len(name) > MaxName:
		w.Exceed(field, len(name), MaxName)
	}
}

// refuseZeros refuses texts with a zero byte.
func refuseZeros(w *wire.Writer, field string, texts ...string) {
	if slices.ContainsFunc(texts, func(s string) bool { return strings.IndexByte(s, 0) >= 0 }) {
		w.Refuse(field, "contains a zero byte")
	}
}

// texts returns the number of texts in all sections. Each ends with a zero byte.
func (m *Response) texts() int {
	n := 2 * len(m.Info)
	for section := players; section <= teams; section++ {
		t := m.table(section)
		n += (1 + len(t.Rows)) * len(t.Columns)
	}
	return n
}
