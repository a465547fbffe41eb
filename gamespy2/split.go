package gamespy2

import (
	"strings"

	"github.com/lobbywire/lobbywire"
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
//   - Teams are not cut. They must fit the last packet, after some players.
//   - A packet starts neither with the first player nor with the last column, nor
//     with a column whose name is part of another column's name, as score_ is part
//     of score_t.
func (m Response) Packets() ([][]byte, error) {
	var w wire.Writer
	var list [][]byte
	if m.Split {
		list = m.splitPackets(&w)
	} else {
		list = m.plainPacket(&w)
	}
	if _, err := w.Finish(proto); err != nil {
		return nil, err
	}
	return list, nil
}

// packetRoom is the capacity for a packet. A packet is cut when a value exceeds
// MaxPacket, after the value has been appended.
const packetRoom = MaxPacket + 128

// plainPacket returns a response in plain form, which is one packet.
func (m *Response) plainPacket(w *wire.Writer) [][]byte {
	*w = wire.NewWriter(make([]byte, 0, packetRoom))
	m.appendPlain(w)
	if w.Len() > MaxPacket {
		w.Fail(lobbywire.ErrTooLarge, "")
	}
	return [][]byte{w.Buffer()}
}

// splitPackets returns the packets of a response in split form.
func (m *Response) splitPackets(w *wire.Writer) [][]byte {
	m.checkSplit(w)
	if w.Failed() {
		return nil
	}
	list := make([][]byte, 0, MaxPackets)
	zeros := 0
	var from place
	for number := range uint8(MaxPackets) {
		packet, next, tooLarge := m.appendPart(make([]byte, 0, packetRoom), number, from, false)
		if tooLarge != "" {
			w.Fail(lobbywire.ErrTooLarge, tooLarge)
			return nil
		}
		zeros += countTexts(packet[bodyOffset:])
		list = append(list, packet)
		if next == (place{}) {
			// Each cut repeats a column name and a value.
			if zeros != m.splitZeros()+2*int(number) {
				m.checkZeros(w)
			}
			return list
		}
		from = next
	}
	w.Fail(lobbywire.ErrTooLarge, "packets")
	return nil
}

// appendSplit appends the split form as one packet.
func (m *Response) appendSplit(w *wire.Writer) {
	m.checkSplit(w)
	if w.Failed() {
		return
	}
	b, _, tooLarge := m.appendPart(w.Buffer(), 0, place{}, true)
	if tooLarge != "" {
		w.Fail(lobbywire.ErrTooLarge, "")
		return
	}
	start := len(w.Buffer()) + bodyOffset
	w.SetBuffer(b)
	if countTexts(b[start:]) != m.splitZeros() {
		m.checkZeros(w)
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

// appendPart appends the packet with a number, which starts at from. If the rest
// of the response does not fit the packet and the packet need not be whole, it is
// cut after the value at next; the next packet starts with that value. If there
// is no place to cut, tooLarge names the field that takes too much room.
//
// The places to cut are those that all known clients read correctly. qstat loses
// the teams if a packet starts with them. GameQ loses all players if a packet
// starts with the first one, and it removes every other occurrence of the column
// name that a packet starts with. opengsq always drops the last value of a
// packet, so the next packet repeats it. All clients garble Info that is cut.
func (m *Response) appendPart(b []byte, number uint8, from place, whole bool) (out []byte, next place, tooLarge string) {
	limit := MaxPacket
	if whole {
		limit = maxDatagram
	}
	start := len(b)
	w := wire.NewWriter(b)
	header := Packet{ID: m.ID, Number: number, Last: true}
	header.append(&w)
	b = w.Buffer()
	if from == (place{}) {
		b = append(b, info)
		b = appendInfo(b, m.Info)
	}
	infoEnd := len(b)
	rows := m.Players.Rows
	b = append(b, players)
	end := 0 // of the packet, if it is cut at next
	overflow := ""
columns:
	for column := from.column; column < len(m.Players.Columns); column++ {
		first := 0
		if column == from.column {
			first = from.row
		}
		lastCut := 0
		if !whole && m.startsPacket(column) {
			lastCut = maxStart
		}
		b = append(b, m.Players.Columns[column]...)
		b = append(b, 0, byte(first))
		for row := first; row < len(rows); row++ {
			value := rows[row][column]
			b = append(b, value...)
			b = append(b, 0)
			if len(b)-start > limit {
				overflow = "players"
				break columns
			}
			if row > first && row <= lastCut {
				next = place{column, row}
				end = len(b)
			}
		}
		b = append(b, 0)
	}
	if overflow == "" && m.isMinecraft() {
		return b, place{}, ""
	}
	if overflow == "" {
		b = append(b, 0, teams)
		b = appendColumns(b, &m.Teams)
		if len(b)-start <= limit {
			return b, place{}, ""
		}
		overflow = "teams"
	}
	if end == 0 {
		return nil, place{}, m.blame(infoEnd-start, limit, overflow)
	}
	b[start+numberOffset] &^= lastFlag
	return b[:end], next, ""
}

// maxStart is the greatest row that a packet can start with. The row has one
// byte.
const maxStart = 255

// blame returns the field to shorten if there is no place to cut a packet: Info
// if it takes most of the packet and the players could be cut, else field.
func (m *Response) blame(infoSize, limit int, field string) string {
	if infoSize > limit/2 && (len(m.Players.Rows) < 2 || m.startsPacket(0)) {
		return "info"
	}
	return field
}

// startsPacket reports whether all clients read a packet that starts with a
// column of Players.
func (m *Response) startsPacket(column int) bool {
	columns := m.Players.Columns
	if column > 0 && column == len(columns)-1 {
		return false
	}
	for i, other := range columns {
		if i != column && strings.Contains(other, columns[column]) {
			return false
		}
	}
	for _, other := range m.Teams.Columns {
		if strings.Contains(other, columns[column]) {
			return false
		}
	}
	return true
}

// appendColumns appends all columns of a table and the end of its section.
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
	return append(b, 0)
}

// checkSplit refuses what the split form cannot send and what clients misread,
// except zero bytes.
func (m *Response) checkSplit(w *wire.Writer) {
	switch m.Sections {
	case 0, AllSections:
	case SectionInfo | SectionPlayers:
		m.checkMinecraft(w)
	default:
		w.Fail(lobbywire.ErrInvalid, "sections")
	}
	m.check(w)
	for i, kv := range m.Info {
		if n := property(kv.Value); n > 0 && n == len(kv.Value) {
			w.In("info", i)
			w.Fail(lobbywire.ErrInvalid, "value")
		}
	}
	for section := players; section <= teams; section++ {
		t := m.table(section)
		for i, name := range t.Columns {
			if name == "" || isTable(name[0]) || !isColumnName(name) ||
				tableOf(name, section) != section || t.Column(name) != i {
				w.In(columnNames[section], i)
				w.Fail(lobbywire.ErrInvalid, "name")
			}
		}
	}
	w.In("", -1)
}
