package gamespy2

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// Packets returns the response as packets of at most [MaxPacket] bytes, in the
// order in which to send them.
//
// It fails if [Response.AppendBinary] fails. It fails with
// [lobbywire.ErrTooLarge] if the response needs more than [MaxPackets] packets,
// if a response in plain form does not fit one packet, or if there is no place to
// cut where all known clients read the packets correctly:
//
//   - Info and the names of the first two players must fit the first packet. They
//     do if Info has up to 1250 bytes.
//   - No column takes more than two packets. Info and the names of all players may
//     have about 2700 bytes together, each other column 2700, and the last one with
//     the teams 1350.
//   - Teams are not cut.
//   - The name of a column that is cut is not part of another column's name, as
//     score_ is part of score_t, or of a player's name, and its values are not all 0.
//
// [Response.PacketsCut] has fewer limits, but not all clients read its packets.
func (m Response) Packets() ([][]byte, error) { return m.PacketsCut(CutForAll) }

// plainPacket returns a response in plain form, which is one packet.
func (m *Response) plainPacket(w *wire.Writer) [][]byte {
	*w = wire.NewWriter(make([]byte, 0, MaxPacket))
	m.appendPlain(w)
	if size := w.Len(); size > MaxPacket {
		w.Exceed("", size, MaxPacket)
	}
	return [][]byte{w.Buffer()}
}

// splitPackets returns the packets of a response in split form.
func (m *Response) splitPackets(w *wire.Writer, cut Cut) (list [][]byte) {
	m.checkSplit(w)
	if w.Failed() {
		return nil
	}
	var body [usualSplit]byte
	var starts [usualColumns + 1]int
	c := cutter{m: m, long: cut == CutColumns, banned: make([]bool, len(m.Players.Columns))}
	c.body, c.starts = m.appendSections(body[:0], starts[:0])
	m.checkZeros(w, c.body)
	if w.Failed() {
		return nil
	}
	for again := true; again; {
		list, again = c.cut(w)
	}
	return list
}

// Room for most responses.
const (
	usualSplit   = 4 * MaxPacket
	usualColumns = 16
)

// A cutter cuts a response in split form where all known clients read the packets.
type cutter struct {
	m      *Response
	long   bool   // a column may take more than two packets
	banned []bool // columns that no packet may start with
	body   []byte // all sections
	starts []int  // where the columns of Players start in body; then where the last one ends
}

// A place is a value of Players that a packet starts with. The zero place is
// the start of the response.
type place struct {
	column, row int
	at          int // in body; of the first value, where its column starts
}

// cut returns the packets. It asks for another try if a packet starts with a column
// whose name clients mistake for another text; it has banned the column then.
func (c *cutter) cut(w *wire.Writer) (list [][]byte, again bool) {
	cuts := len(c.body) / MaxPacket // as a rule
	list = make([][]byte, 0, 1+cuts)
	all := wire.NewWriter(make([]byte, 0, bodyOffset+len(c.body)+cuts*repeatRoom))
	var from place
	for number := range uint8(MaxPackets) {
		start := all.Len()
		header := Packet{ID: c.m.ID, Number: number}
		header.append(&all)
		if number > 0 {
			all.Uint8(players)
		}
		if from.row > 0 {
			all.Text(c.m.Players.Columns[from.column])
			all.Uint8(0)
			all.Uint8(uint8(from.row))
		}
		room := MaxPacket - (all.Len() - start)
		isLast := len(c.body)-from.at <= room
		end, next, tooLarge := len(c.body), place{}, ""
		if !isLast {
			end, next, tooLarge = c.next(from, room)
			if tooLarge != "" {
				w.Fail(wire.TooLarge("does not fit a packet, and clients know no place to cut it"), tooLarge)
				return nil, false
			}
		}
		all.Bytes(c.body[from.at:end])
		packet := all.Buffer()[start:all.Len():all.Len()]
		if number > 0 && !c.long && c.isMistaken(from, list[number-1], packet) {
			c.banned[from.column] = true
			return nil, true
		}
		list = append(list, packet)
		if isLast {
			packet[numberOffset] |= lastFlag
			return list, false
		}
		from = next
	}
	w.Fail(wire.TooLarge("more than 8 would be needed"), "packets")
	return nil, false
}

// repeatRoom is room for what a packet repeats: a header, a column name and a value.
const repeatRoom = 40

// isMistaken reports whether GameQ misreads the name of the column that a packet
// starts with. If the packet before has that name, GameQ removes the name from the
// packet wherever it occurs, and continues the column before.
func (c *cutter) isMistaken(from place, before, packet []byte) bool {
	name := []byte(c.m.Players.Columns[from.column])
	if from.row == 0 {
		return bytes.Contains(before[bodyOffset:], name)
	}
	return bytes.Count(packet[bodyOffset:], name) > 1
}

// next returns the end of a packet that starts at from and has room for a number of
// bytes, and the start of the one after it. tooLarge names the field that takes too
// much room if there is no place to cut.
//
// A packet is cut in a column, after the value at next, or after a column; next is
// then the first value of another one. The places to cut are those that all known
// clients read correctly. qstat loses the teams if a packet starts with them. GameQ
// loses all players if a packet starts with the first one, and misreads a column
// that takes more than two packets, as it no longer knows its name in the third.
// opengsq always drops the last text of a packet, so a packet repeats the value
// that it starts with, and does not if the column before has ended. All clients
// garble Info that is cut.
func (c *cutter) next(from place, room int) (end int, next place, tooLarge string) {
	limit := from.at + room
	column := slices.IndexFunc(c.starts[1:], func(end int) bool { return end > limit })
	tooLarge = "players"
	if column < 0 {
		column = len(c.m.Players.Columns) - 1
		tooLarge = "teams"
	}
	for ; column >= from.column; column-- {
		columnEnd := c.starts[column+1]
		fits := columnEnd <= limit
		if fits && column+1 < len(c.m.Players.Columns) && !c.banned[column+1] {
			return columnEnd, place{column: column + 1, at: columnEnd}, ""
		}
		first := place{column: column, at: c.values(column)}
		if column == from.column && from.row > 0 {
			first = from
		}
		if first.row > 0 && !c.long || !c.mayCut(column) {
			continue
		}
		end, next := c.lastValue(first, max(first.at, min(limit, columnEnd-1)))
		rest := columnOverhead + len(c.m.Players.Columns[column]) + columnEnd - 1 - next.at
		if next.row > first.row && (c.long || rest <= MaxPacket) {
			return end, next, ""
		}
		if !fits && first.row == 0 {
			tooLarge = "players.columns[" + strconv.Itoa(column) + "]"
		}
	}
	return 0, place{}, c.blame(from, tooLarge)
}

// columnOverhead is the number of bytes of a packet that has nothing but a part of
// a column, without those of the column's name and values.
const columnOverhead = bodyOffset + 1 + columnEnds

// maxStart is the greatest row that a packet can start with. The row has one
// byte.
const maxStart = 255

// values returns where the values of a column start.
func (c *cutter) values(column int) int {
	return c.starts[column] + len(c.m.Players.Columns[column]) + len("\x00\x00")
}

// lastValue returns the last value of a column, from first on, that ends before limit
// and that a packet can start with, and its end. GameQ keeps a repeated 0 twice, since
// PHP takes the text for empty.
func (c *cutter) lastValue(first place, limit int) (end int, last place) {
	end = first.at + bytes.LastIndexByte(c.body[first.at:limit], 0) + 1
	for end > first.at {
		at := first.at + bytes.LastIndexByte(c.body[first.at:end-1], 0) + 1
		row := first.row + countTexts(c.body[first.at:at])
		if row <= maxStart && (c.long || string(c.body[at:end]) != "0\x00") {
			return end, place{first.column, row, at}
		}
		end = at
	}
	return end, first
}

// blame returns the field to shorten if there is no place to cut a packet: Info
// if it takes most of the packet and the names of the players could be cut, else
// field.
func (c *cutter) blame(from place, field string) string {
	isInfo := from == (place{}) && bodyOffset+c.starts[0]-1 > MaxPacket/2
	if isInfo && (len(c.m.Players.Rows) < 2 || c.mayCut(0) && c.starts[1]-1-c.values(0) < MaxPacket) {
		return "info"
	}
	return field
}

// mayCut reports whether a packet may start in a column of Players. Only GameQ
// depends on the names of columns.
func (c *cutter) mayCut(column int) bool {
	columns := c.m.Players.Columns
	if column > 0 && column == len(columns)-1 {
		return false
	}
	if c.long {
		return true
	}
	contains := func(other string) bool { return strings.Contains(other, columns[column]) }
	return !c.banned[column] && !slices.ContainsFunc(columns[:column], contains) &&
		!slices.ContainsFunc(columns[column+1:], contains) && !slices.ContainsFunc(c.m.Teams.Columns, contains)
}

// appendSplit appends the split form as one packet.
func (m *Response) appendSplit(w *wire.Writer) {
	m.checkSplit(w)
	if w.Failed() {
		return
	}
	header := Packet{ID: m.ID, Last: true}
	header.append(w)
	start := len(w.Buffer())
	var starts [usualColumns + 1]int
	b, _ := m.appendSections(w.Buffer(), starts[:0])
	w.SetBuffer(b)
	if size := w.Len(); size > maxDatagram {
		w.Exceed("", size, maxDatagram)
	}
	m.checkZeros(w, b[start:])
}

// appendSections appends all sections in split form to b, and to starts where the
// columns of Players start and where the last one ends.
func (m *Response) appendSections(b []byte, starts []int) ([]byte, []int) {
	b = append(appendInfo(append(b, info), m.Info), players)
	b, starts = appendColumns(b, &m.Players, starts)
	if !m.isMinecraft() {
		b, _ = appendColumns(append(b, 0, teams), &m.Teams, starts)
		b = append(b, 0)
	}
	return b, starts
}

// appendColumns appends all columns of a table to b, and to starts where they start and
// where the last one ends.
func appendColumns(b []byte, t *Table, starts []int) ([]byte, []int) {
	for column, name := range t.Columns {
		starts = append(starts, len(b))
		b = append(b, name...)
		b = append(b, 0, 0)
		for _, row := range t.Rows {
			b = append(b, row[column]...)
			b = append(b, 0)
		}
		b = append(b, 0)
	}
	return b, append(starts, len(b))
}

// checkZeros refuses texts with a zero byte. The sections are b in split form, which has
// one zero byte for each text, the number and the end of info, the first row and the
// end of each column, and the ends of both tables.
func (m *Response) checkZeros(w *wire.Writer, b []byte) {
	want := m.texts() + 4 + 2*(len(m.Players.Columns)+len(m.Teams.Columns))
	if m.isMinecraft() {
		want -= 2 // the tables have no ends
	}
	if countTexts(b) != want {
		m.check(w, true)
	}
	if swallowsKey(b[1:]) {
		w.In("info", 1)
		w.Refuse("key", "is not gametype, as in Minecraft")
		w.In("", -1)
	}
}

// checkSplit refuses what the split form cannot send and what clients misread,
// except zero bytes.
func (m *Response) checkSplit(w *wire.Writer) {
	switch m.Sections {
	case 0, AllSections:
	case SectionInfo | SectionPlayers:
		m.checkMinecraft(w)
	default:
		w.Refuse("sections", "no split response has these sections")
	}
	m.check(w, false)
	for i, kv := range m.Info {
		if kv.Key != "" && isTable(kv.Key[0]) {
			w.In("info", i)
			w.Refuse("key", "starts like a section of players or teams")
		}
		if property(kv.Value) > 0 { // also if a packet could end after its digits
			w.In("info", i)
			w.Refuse("value", "clients take it for a key")
		}
	}
	for section := players; section <= teams; section++ {
		t := m.table(section)
		for i, name := range t.Columns {
			if name == "" || isTable(name[0]) || !isColumnName(name) ||
				tableOf(name, section) != section || t.Column(name) != i {
				w.In(columnNames[section], i)
				w.Refuse("name", "does not name a column, or is repeated")
			}
		}
	}
	w.In("", -1)
}
