package gamespy2

import (
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// AppendPackets appends the answer to b as packets of at most [MaxPacket] bytes,
// back to back, and to ends where each of them ends in the result. Packets are
// sent in their order. With room in b and ends it allocates nothing.
//
// It fails as AppendBinary does, and with [lobbywire.ErrTooLarge] if the answer
// needs more than [MaxPackets] packets, if an answer in plain form does not fit
// one, or if the answer can only be cut where some client misreads it:
//
//   - Info has to fit the first packet, and the names of the first two players
//     too: if Info has up to 1250 bytes, they do.
//   - Teams are not cut. They have to fit the last packet, behind some players.
//   - A packet does not start with the first player, nor with the last column,
//     nor with a column whose name is part of another column's, as score_ is of
//     score_t.
//
// On error b and ends come back as given.
func (m Response) AppendPackets(b []byte, ends []int) ([]byte, []int, error) {
	if !m.Split {
		return m.appendOnePacket(b, ends)
	}
	w := wire.NewWriter(b)
	m.checkSplit(&w)
	if _, err := w.Finish(proto); err != nil {
		return b, ends, err
	}
	out, outEnds := b, ends
	zeros := 0
	var from place
	for number := uint8(0); number < MaxPackets; number++ {
		packet, next, tooLarge := m.appendPart(out, number, from, false)
		if tooLarge != "" {
			w.Fail(lobbywire.ErrTooLarge, tooLarge)
			break
		}
		zeros += countTexts(packet[len(out)+bodyOffset:])
		out = packet
		outEnds = append(outEnds, len(out))
		if next != (place{}) {
			from = next
			continue
		}
		// Each cut repeats a column name and a value.
		if zeros != m.splitZeros()+2*int(number) {
			m.checkZeros(&w)
		}
		if _, err := w.Finish(proto); err != nil {
			return b, ends, err
		}
		return out, outEnds, nil
	}
	w.Fail(lobbywire.ErrTooLarge, "packets")
	_, err := w.Finish(proto)
	return b, ends, err
}

// appendOnePacket is AppendPackets for the plain form.
func (m *Response) appendOnePacket(b []byte, ends []int) ([]byte, []int, error) {
	out, err := m.appendPlain(b)
	if err != nil {
		return b, ends, err
	}
	if len(out)-len(b) > MaxPacket {
		w := wire.NewWriter(b)
		w.Fail(lobbywire.ErrTooLarge, "")
		_, err := w.Finish(proto)
		return b, ends, err
	}
	return out, append(ends, len(out)), nil
}

// appendSplit appends the split form as one packet.
func (m *Response) appendSplit(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	m.checkSplit(&w)
	if _, err := w.Finish(proto); err != nil {
		return b, err
	}
	out, _, tooLarge := m.appendPart(b, 0, place{}, true)
	if tooLarge != "" {
		w.Fail(lobbywire.ErrTooLarge, "")
	} else if countTexts(out[len(b)+bodyOffset:]) != m.splitZeros() {
		m.checkZeros(&w)
	}
	if _, err := w.Finish(proto); err != nil {
		return b, err
	}
	return out, nil
}

// splitZeros returns how many zero bytes all sections have in split form, if
// there are none in texts: one for each text, the number and the end of info,
// the first row and the end of each column, and the ends of both tables.
func (m *Response) splitZeros() int {
	return m.texts() + 4 + 2*(len(m.Players.Columns)+len(m.Teams.Columns))
}

// A place is a value of Players that a packet starts with. The zero place is
// the start of the answer.
type place struct{ column, row int }

// appendPart appends the packet of that number, which starts at from. If not all
// that is left fits and it need not be whole, it is cut after the value at next,
// with which the next packet starts. If it cannot be cut, tooLarge names the
// field to blame.
//
// Why it is cut only there: clients were tried, each with some flaw. qstat loses
// the teams if a packet starts with them. GameQ loses all players if a packet
// starts with the first of them, and removes every other occurrence of the name
// of the column that a packet starts with. opengsq always drops the last value
// of a packet, so that must be repeated. All of them garble Info that is cut.
func (m *Response) appendPart(b []byte, number uint8, from place, whole bool) (out []byte, next place, tooLarge string) {
	limit := MaxPacket
	if whole {
		limit = MaxDatagram
	}
	start := len(b)
	b = appendSplitHeader(b, m.ID, number, true)
	numberAt := len(b) - 1
	if from == (place{}) {
		b = append(b, info)
		b = appendInfo(b, m.Info)
	}
	infoEnd := len(b)
	rows := m.Players.Rows
	b = append(b, players)
	end := 0 // of the packet if it is cut at next
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
	b[numberAt] &^= lastFlag
	return b[:end], next, ""
}

// maxStart is the greatest row that a packet can start with: it is one byte.
const maxStart = 255

// blame names the field to shorten if a packet cannot be cut: Info if it takes
// most of the packet and the players could be cut, else field.
func (m *Response) blame(infoSize, limit int, field string) string {
	if infoSize > limit/2 && (len(m.Players.Rows) < 2 || m.startsPacket(0)) {
		return "info"
	}
	return field
}

// startsPacket tells whether all clients read a packet that starts with a
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

// checkSplit refuses what cannot be sent in split form, or is misread, but for
// zero bytes.
func (m *Response) checkSplit(w *wire.Writer) {
	if m.Sections != 0 && m.Sections != AllSections {
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
			if name == "" || isTable(name[0]) || !isColumnName([]byte(name)) ||
				tableOf(name, section) != section || t.Column(name) != i {
				w.In(columnNames[section], i)
				w.Fail(lobbywire.ErrInvalid, "name")
			}
		}
	}
	w.In("", -1)
}
