package gamespy2

import (
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Response answers a query that asks for all keys of some sections. It has
// one of two forms, by the flags of the query:
//
// The plain form is one packet. Which sections are in it is known from the
// query only.
//
//	offset  size  field
//	0       1     type, 0
//	1       4     id
//	info:
//	        n     info
//	players:
//	        n     players
//	teams:
//	        n     teams
//
//	info:
//	size  field
//	per property:
//	n     key, ended by 0
//	n     value, ended by 0
//	then:
//	1     end, 0
//
//	players or teams:
//	size  field
//	2     count, of rows, big-endian
//	per column:
//	n     name, ended by 0
//	then:
//	1     end, 0
//	per row and column:
//	n     value, ended by 0
//
// The split form is one or more packets with all sections, of which each packet
// has as much as fits. See [Packet] for what comes first.
//
//	offset  size  field
//	0       15    ..., the header of the Packet
//	per section:
//	        1     section, which is 0 for info, 1 for players, 2 for teams
//	        n     ...
//
// Info is the same there. Players and teams are columns, each of which tells the
// row that its values start at:
//
//	players or teams, by columns:
//	[name start [value]... columns.end]... end
type Response struct {
	ID    [4]byte // that of the request
	Split bool    // the form

	// Sections says what a plain answer has; 0 means all. A split answer has
	// all, and says so after parsing.
	Sections Sections

	// Info is in the order of the wire. If a key is there twice, the last one
	// counts; see [Response.Lookup].
	Info []KeyValue

	// Players has columns that end in _, player_ first.
	Players Table

	// Teams has columns that end in _t, mostly team_t and score_t.
	Teams Table

	// Partial says that packets are missing, or that the server cut the answer
	// off: what is there is right, but there should be more. Such a response
	// cannot be encoded.
	Partial bool
}

// A KeyValue is one entry of Info. Text is bytes; [Latin1] helps with games
// that send Latin-1.
type KeyValue struct {
	Key   string
	Value string
}

// A Table has one row for each player or team.
type Table struct {
	Columns []string   // names as on the wire, such as "score_"
	Rows    [][]string // each with one value for each column; "" if none came
}

// Column returns the number of a column, or -1.
func (t Table) Column(name string) int { return slices.Index(t.Columns, name) }

// Sections is a set of parts of an answer, one bit each.
type Sections uint8

// The sections.
const (
	SectionInfo    Sections = 1 << 0
	SectionPlayers Sections = 1 << 1
	SectionTeams   Sections = 1 << 2

	AllSections = SectionInfo | SectionPlayers | SectionTeams
)

// String returns names joined by |, as "info|teams", or "none".
func (s Sections) String() string {
	var names []string
	for i, name := range sectionNames {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, "|")
}

// Section numbers, as on the wire. Bit 1<<n of Sections is section n.
const (
	info = iota
	players
	teams
)

// Names of sections, and of their parts in errors.
var (
	sectionNames = [...]string{"info", "players", "teams"}
	columnNames  = [...]string{"info", "players.columns", "teams.columns"}
	rowNames     = [...]string{"info", "players.rows", "teams.rows"}
)

// ParseResponse reads a [Response] in one packet.
//
// Which sections a plain answer has is guessed, unless [Options] tell: it has
// info unless its first byte is 0, a row count, and more follows; then players
// and teams as long as there are bytes; and a first table whose first column
// ends in _t is teams. This fails only for answers that no game is known to give.
//
// A packet of a split answer that needs others is refused with
// [lobbywire.ErrUnsupported] at number; see [Assembler], and Options.Part.
func ParseResponse(b []byte) (Response, error) { return Options{}.ParseResponse(b) }

// ParseResponse reads a [Response] as the function of that name does.
func (o Options) ParseResponse(b []byte) (Response, error) {
	r := wire.NewReader(b)
	var m Response
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Response{}, err
	}
	return m, nil
}

// ExplainResponse accounts for every byte of a [Response] in one packet.
func ExplainResponse(b []byte) lobbywire.Explanation { return Options{}.ExplainResponse(b) }

// ExplainResponse accounts for every byte of a [Response] in one packet.
func (o Options) ExplainResponse(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Response", b, func(r *wire.Reader) { new(Response).decode(r, o) })
}

func (m *Response) decode(r *wire.Reader, o Options) {
	decodeType(r, TypeQuery)
	m.ID = decodeID(r)
	if !isSplit(r.Peek()) {
		m.decodePlain(r, o)
		return
	}
	var p Packet
	at := p.decodeSplit(r)
	whole := p.Number == 0 && p.Last
	if !whole && !o.Part {
		r.Fail(lobbywire.ErrUnsupported, "number", at)
	}
	g := gatherer{o: o}
	g.packet(r, p.Last)
	if !whole {
		g.partial = true
	}
	g.finish(m)
}

// AppendBinary appends the answer to b as one packet, whatever its size up to
// [MaxDatagram]. It fails if a text has a zero byte, a key or column has no
// name or one that is too long, a row has not one value for each column, or the
// response is Partial. It also refuses what clients misread:
//
//   - in a plain answer, an empty value in a first column
//   - in a split answer, an empty value in any column, columns that do not end
//     in _ for players and in _t for teams, a column name twice
//
// A split answer should fit [MaxPacket]; see AppendPackets.
func (m Response) AppendBinary(b []byte) ([]byte, error) {
	if m.Split {
		return m.appendSplit(b)
	}
	return m.appendPlain(b)
}

// MarshalBinary returns the wire form.
func (m Response) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseResponse] does.
func (m *Response) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseResponse(b)
	return err
}

// Lookup returns the value of a key of Info and whether it is there.
func (m Response) Lookup(key string) (value string, ok bool) {
	for _, kv := range m.Info {
		if kv.Key == key {
			value, ok = kv.Value, true
		}
	}
	return value, ok
}

// Values returns the answer to a query that lists keys: their values in Info,
// "" for those that are not there.
func (m Response) Values(keys Selector) Values {
	v := Values{ID: m.ID, Values: make([]string, keys.Len())}
	for i := range v.Values {
		v.Values[i], _ = m.Lookup(keys.ID(i).String())
	}
	return v
}

// table returns a table by its section number.
func (m *Response) table(section int) *Table {
	if section == teams {
		return &m.Teams
	}
	return &m.Players
}

// check refuses what cannot be sent in either form, but for zero bytes.
func (m *Response) check(w *wire.Writer) {
	if m.Partial {
		w.Fail(lobbywire.ErrInvalid, "partial")
	}
	for i, kv := range m.Info {
		w.In("info", i)
		checkName(w, "key", kv.Key)
	}
	for section := players; section <= teams; section++ {
		t := m.table(section)
		for i, name := range t.Columns {
			w.In(columnNames[section], i)
			checkName(w, "name", name)
		}
		for i, row := range t.Rows {
			w.In(rowNames[section], i)
			if len(row) != len(t.Columns) || len(row) == 0 {
				w.Fail(lobbywire.ErrInvalid, "")
			}
			for column, value := range row {
				if value == "" && (m.Split || column == 0) {
					w.Fail(lobbywire.ErrInvalid, "value")
				}
			}
		}
	}
	w.In("", -1)
}

// checkName refuses keys and column names that are empty or too long.
func checkName(w *wire.Writer, field, name string) {
	switch {
	case name == "":
		w.Fail(lobbywire.ErrInvalid, field)
	case len(name) > MaxName:
		w.Fail(lobbywire.ErrTooLarge, field)
	}
}

// texts returns how many texts, each ended by a zero byte, are in all sections.
func (m *Response) texts() int {
	n := 2 * len(m.Info)
	for section := players; section <= teams; section++ {
		t := m.table(section)
		n += (1 + len(t.Rows)) * len(t.Columns)
	}
	return n
}

// checkZeros refuses texts with a zero byte. It need not be called if a message
// has as many zero bytes as it should: looking into every text takes as long as
// encoding does.
func (m *Response) checkZeros(w *wire.Writer) {
	check := func(field, text string) {
		if strings.IndexByte(text, 0) >= 0 {
			w.Fail(lobbywire.ErrInvalid, field)
		}
	}
	for i, kv := range m.Info {
		w.In("info", i)
		check("key", kv.Key)
		check("value", kv.Value)
	}
	for section := players; section <= teams; section++ {
		t := m.table(section)
		for i, name := range t.Columns {
			w.In(columnNames[section], i)
			check("name", name)
		}
		for i, row := range t.Rows {
			w.In(rowNames[section], i)
			for _, value := range row {
				check("value", value)
			}
		}
	}
	w.In("", -1)
}
