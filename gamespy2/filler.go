package gamespy2

import "github.com/lobbywire/lobbywire/internal/wire"

// fullPackets returns packets of up to size bytes, cut as GameSpy's code does.
func (m *Response) fullPackets(w *wire.Writer, size, limit int) [][]byte {
	m.checkSplit(w)
	m.check(w, true)
	if w.Failed() {
		return nil
	}
	f := filler{id: m.ID, size: size, limit: limit}
	f.start()
	for _, kv := range m.Info {
		f.put("", kv.Key+"\x00"+kv.Value+"\x00")
	}
	f.end()
	ended := f.table(players, &m.Players)
	if !m.isMinecraft() {
		ended = f.table(teams, &m.Teams)
	}
	if !ended {
		f.start()
		f.end()
	}
	if len(f.packets) > limit {
		w.Exceed("packets", limit+1, limit)
		return nil
	}
	f.packet()[numberOffset] |= lastFlag
	return f.packets
}

// A filler fills packets as GameSpy's code does. An item that does not fit is cut, and the
// last byte of the packet is 0. The next packet repeats the item, after the name of its
// column. GameSpy's code cannot recognize that an item that just fits is complete, so it
// repeats that, too.
//
// An end of a section that does not fit is omitted, because the next section starts in the
// next packet. GameSpy's code omits the end of the last section as well, which makes the
// response look partial to readers.
type filler struct {
	id      [4]byte
	size    int // of packets
	limit   int // of packets; beyond it, no item is cut
	section int
	packets [][]byte
}

// sectionRoom is the minimum room for a section to start in a packet.
const sectionRoom = 100

// packet returns the packet that is being filled.
func (f *filler) packet() []byte { return f.packets[len(f.packets)-1] }

func (f *filler) free() int { return f.size - len(f.packet()) }

func (f *filler) append(s string) {
	f.packets[len(f.packets)-1] = append(f.packet(), s...)
}

// start begins a packet.
func (f *filler) start() {
	w := wire.NewWriter(make([]byte, 0, f.size))
	header := Packet{ID: f.id, Number: uint8(min(len(f.packets), lastFlag-1))}
	header.append(&w)
	w.Uint8(uint8(f.section))
	f.packets = append(f.packets, w.Buffer())
}

// put appends an item. column is the start of its column.
func (f *filler) put(column, item string) {
	for len(item) >= f.free() && len(f.packets) <= f.limit {
		if n := f.free() - 1; n >= 0 {
			f.append(item[:n] + "\x00")
		}
		f.start()
		f.append(column)
	}
	f.append(item)
}

// end appends the end of a column or section, unless the packet is full.
func (f *filler) end() (ended bool) {
	if f.free() <= 0 {
		return false
	}
	f.append("\x00")
	return true
}

// table appends a section. ended is false if the packet is full before its end.
func (f *filler) table(section int, t *Table) (ended bool) {
	f.section = section
	if f.free() < sectionRoom && len(f.packet()) > bodyOffset+1 {
		f.start()
	} else {
		f.append(string(rune(section)))
	}
	for column, name := range t.Columns {
		f.put("", name+"\x00\x00")
		for row, values := range t.Rows {
			f.put(name+string([]byte{0, byte(row)}), values[column]+"\x00")
		}
		f.end()
	}
	return f.end()
}
