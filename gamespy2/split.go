package gamespy2

import "github.com/lobbywire/lobbywire/internal/wire"

// usualColumns is room for the columns of most responses.
const usualColumns = 16

// appendSplit appends the split form as one packet.
func (m *Response) appendSplit(w *wire.Writer) {
	m.checkSplit(w)
	if w.Failed() {
		return
	}
	start := m.appendPacket(w)
	m.checkZeros(w, w.Buffer()[start:])
}

// appendPacket appends all sections as one packet, and returns their offset.
func (m *Response) appendPacket(w *wire.Writer) (start int) {
	header := Packet{ID: m.ID, Last: true}
	header.append(w)
	start = len(w.Buffer())
	var starts [usualColumns + 1]int
	b, _ := m.appendSections(w.Buffer(), starts[:0])
	w.SetBuffer(b)
	if size := w.Len(); size > maxDatagram {
		w.Exceed("", size, maxDatagram)
	}
	return start
}

// appendSections appends all sections in split form to b. To starts it appends the offsets
// of the columns of Players and the end of the last one.
func (m *Response) appendSections(b []byte, starts []int) ([]byte, []int) {
	b = append(appendInfo(append(b, info), m.Info), players)
	b, starts = appendColumns(b, &m.Players, starts)
	if !m.isMinecraft() {
		b, _ = appendColumns(append(b, 0, teams), &m.Teams, starts)
		b = append(b, 0)
	}
	return b, starts
}

// appendColumns appends all columns of a table to b. To starts it appends their offsets and
// the end of the last one.
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

// checkZeros refuses texts with a zero byte. b holds the sections in split form, with one
// zero byte for each text, the number and the end of info, the first row and the end of
// each column, and the ends of both tables.
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

// checkSplit refuses what the split form cannot carry and what clients misread, except zero
// bytes.
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
