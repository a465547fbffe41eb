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
//   - No column takes more than two packets. The names of all players have about
//     2700 bytes less those of Info, the other columns 2700 bytes each, and the last
//     column 1350 bytes with the teams.
//   - Teams are not cut.
//   - The name of a column that is cut is not part of another column's name, as
//     score_ is part of score_t, or of a player's name.
//
// [Response.PacketsCut] has fewer limits, but not all clients read its packets.
func (m Response) Packets() ([][]byte, error) { return m.PacketsCut(CutForAll) }

// packetRoom is the capacity for a packet. The end of a column, or the teams, may
// exceed MaxPacket before the packet is cut.
const packetRoom = MaxPacket + 128

// plainPacket returns a response in plain form, which is one packet.
func (m *Response) plainPacket(w *wire.Writer) [][]byte {
	*w = wire.NewWriter(make([]byte, 0, packetRoom))
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
	c := cutter{m: m, long: cut == CutColumns, banned: make([]bool, len(m.Players.Columns))}
	for again := true; again; {
		list, again = c.cut(w)
	}
	return list
}

// A cutter cuts a response in split form where all known clients read the packets.
type cutter struct {
	m      *Response
	long   bool   // a column may take more than two packets
	banned []bool // columns that no packet may start with
}

// cut returns the packets. It asks for another try if a packet starts with a column
// whose name clients mistake for another text; it has banned the column then.
func (c *cutter) cut(w *wire.Writer) (list [][]byte, again bool) {
	m := c.m
	list = make([][]byte, 0, MaxPackets)
	zeros := 0
	var from place
	for number := range uint8(MaxPackets) {
		packet, next, tooLarge := c.part(number, from)
		if tooLarge != "" {
			w.Fail(wire.TooLarge("does not fit a packet, and clients know no place to cut it"), tooLarge)
			return nil, false
		}
		if number > 0 && !c.long && c.isMistaken(from, list[number-1], packet) {
			c.banned[from.column] = true
			return nil, true
		}
		zeros += countTexts(packet[bodyOffset:])
		list = append(list, packet)
		if from.row > 0 {
			zeros -= 2 // the column name and a value are repeated
		}
		if next == (place{}) {
			if zeros != m.splitZeros() {
				m.check(w, true)
			}
			return list, false
		}
		from = next
	}
	w.Fail(wire.TooLarge("more than 8 would be needed"), "packets")
	return nil, false
}

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

// appendSplit appends the split form as one packet.
func (m *Response) appendSplit(w *wire.Writer) {
	m.checkSplit(w)
	if w.Failed() {
		return
	}
	header := Packet{ID: m.ID, Last: true}
	header.append(w)
	b := w.Buffer()
	start := len(b)
	b = appendInfo(append(b, info), m.Info)
	b = appendColumns(append(b, players), &m.Players)
	if !m.isMinecraft() {
		b = append(appendColumns(append(b, 0, teams), &m.Teams), 0)
	}
	w.SetBuffer(b)
	if size := w.Len(); size > maxDatagram {
		w.Exceed("", size, maxDatagram)
	}
	if countTexts(b[start:]) != m.splitZeros() {
		m.check(w, true)
	}
}

// splitZeros returns the number of zero bytes in all sections in split form if
// no text has one: one for each text, the number and the end of info, the first
// row and the end of each column, and the ends of both tables.
func (m *Response) splitZeros() int {
	if m.isMinecraft() {
		return m.texts() + 4 // of info, and of the column; the tables have no ends
	}
	return m.texts() + 4 + 2*(len(m.Players.Columns)+len(m.Teams.Columns))
}

// A place is the value of Players that a packet starts with. The zero place is
// the start of the response.
type place struct{ column, row int }

// part returns the packet with a number, which starts at from. If the rest of the
// response does not fit the packet, it is cut at next. tooLarge names the field that
// takes too much room if there is no place to cut.
//
// A packet is cut in a column, after the value at next, or after a column; next is
// then the first value of another one. The places to cut are those that all known
// clients read correctly. qstat loses the teams if a packet starts with them. GameQ
// loses all players if a packet starts with the first one, and misreads a column
// that takes more than two packets, as it no longer knows its name in the third.
// opengsq always drops the last text of a packet, so a packet repeats the value
// that it starts with, and does not if the column before has ended. All clients
// garble Info that is cut.
func (c *cutter) part(number uint8, from place) (packet []byte, next place, tooLarge string) {
	m := c.m
	w := wire.NewWriter(make([]byte, 0, packetRoom))
	header := Packet{ID: m.ID, Number: number, Last: true}
	header.append(&w)
	b := w.Buffer()
	if from == (place{}) {
		b = appendInfo(append(b, info), m.Info)
	}
	infoEnd := len(b)
	b = append(b, players)
	end := 0 // of the packet, if it is cut at next
	overflow := ""
	for column := from.column; column < len(m.Players.Columns) && overflow == ""; column++ {
		first := 0
		if column == from.column {
			first = from.row
		}
		b = append(b, m.Players.Columns[column]...)
		b = append(b, 0, byte(first))
		var row int
		b, row = m.appendValues(b, column, first)
		at := len(b)
		b = append(b, 0)
		fits := row == len(m.Players.Rows) && len(b) <= MaxPacket
		if !fits {
			overflow = "players"
		}
		switch last := min(row-1, maxStart); {
		case fits && column+1 < len(m.Players.Columns) && !c.banned[column+1]:
			next = place{column + 1, 0}
			end = len(b)
		case first > 0 && (!c.long || last <= first) || !c.mayCut(column):
		case last >= c.firstCut(column):
			next = place{column, last}
			end = at - c.size(column, last+1, row)
		case !fits && end == 0:
			overflow += ".columns[" + strconv.Itoa(column) + "]"
		}
	}
	if overflow == "" && m.isMinecraft() {
		return b, place{}, ""
	}
	if overflow == "" {
		b = append(appendColumns(append(b, 0, teams), &m.Teams), 0)
		if len(b) <= MaxPacket {
			return b, place{}, ""
		}
		overflow = "teams"
	}
	if end == 0 {
		return nil, place{}, c.blame(infoEnd, overflow)
	}
	b[numberOffset] &^= lastFlag
	return b[:end], next, ""
}

// appendValues appends the values of a column from a row on that fit the packet. It
// returns the row after the last one.
func (m *Response) appendValues(b []byte, column, row int) (packet []byte, end int) {
	for _, values := range m.Players.Rows[row:] {
		value := values[column]
		if len(b)+len(value) >= MaxPacket {
			break
		}
		b = append(b, value...)
		b = append(b, 0)
		row++
	}
	return b, row
}

// size returns the number of bytes of values of a column.
func (c *cutter) size(column, from, to int) int {
	n := 0
	for _, row := range c.m.Players.Rows[from:to] {
		n += len(row[column]) + 1
	}
	return n
}

// columnOverhead is the number of bytes of a packet that has nothing but a part of
// a column, without those of the column's name and values.
const columnOverhead = 15 + 1 + columnEnds

// firstCut returns the first row where a column can be cut so that the rest of it,
// from that row on, fits the next packet. It is more than the number of rows if
// there is none.
func (c *cutter) firstCut(column int) int {
	if c.long {
		return 1
	}
	rows := c.m.Players.Rows
	size := columnOverhead + len(c.m.Players.Columns[column])
	for row := len(rows) - 1; row >= 1; row-- {
		if size += len(rows[row][column]) + 1; size > MaxPacket {
			return row + 1
		}
	}
	return 1
}

// maxStart is the greatest row that a packet can start with. The row has one
// byte.
const maxStart = 255

// blame returns the field to shorten if there is no place to cut a packet: Info
// if it takes most of the packet and the names of the players could be cut, else
// field.
func (c *cutter) blame(infoSize int, field string) string {
	rows := c.m.Players.Rows
	if infoSize > MaxPacket/2 && (len(rows) < 2 || c.mayCut(0) && c.size(0, 0, len(rows)) < MaxPacket) {
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

// appendColumns appends all columns of a table.
func appendColumns(b []byte, t *Table) []byte {
	for column, name := range t.Columns {
		b = append(b, name...)
		b = append(b, 0, 0)
		for _, row := range t.Rows {
			b = append(b, row[column]...)
			b = append(b, 0)
		}
		b = append(b, 0)
	}
	return b
}

// checkSplit refuses what the split form cannot send and what clients misread,
// except zero bytes.
func (m *Response) checkSplit(w *wire.Writer) {
	switch m.Sections {
	case 0, AllSections:
	case SectionInfo | SectionPlayers:
		m.checkMinecraft(w)
	default:
		w.Refuse("sections", "not those of a split response")
	}
	m.check(w, false)
	for i, kv := range m.Info {
		if n := property(kv.Value); n > 0 && n == len(kv.Value) {
			w.In("info", i)
			w.Refuse("value", "clients take it for the name of a column")
		}
	}
	for section := players; section <= teams; section++ {
		t := m.table(section)
		for i, name := range t.Columns {
			if name == "" || isTable(name[0]) || !isColumnName(name) ||
				tableOf(name, section) != section || t.Column(name) != i {
				w.In(columnNames[section], i)
				w.Refuse("name", "not that of a column, or repeated")
			}
		}
	}
	w.In("", -1)
}
