package gamespy2

import "github.com/lobbywire/lobbywire/internal/wire"

// A Cut says where a response in split form is cut into packets.
type Cut int

// The cuts.
const (
	// CutForAll cuts where all known clients read the packets.
	CutForAll Cut = iota

	// CutColumns cuts columns into any number of packets, whatever their names.
	// GameQ misreads a column from its third packet on, and a column whose name
	// occurs in another text.
	CutColumns

	// CutAnywhere cuts wherever a packet is full, also in keys, names and values,
	// as GameSpy's code does for Battlefield 2. GameQ, opengsq and qstat misread
	// some of these cuts. It is meant for tests of clients.
	CutAnywhere
)

// PacketsCut returns the packets of [Response.Packets], cut in another way. A
// response in plain form is not cut.
func (m Response) PacketsCut(cut Cut) ([][]byte, error) {
	var w wire.Writer
	var list [][]byte
	switch {
	case !m.Split:
		list = m.plainPacket(&w)
	case cut == CutAnywhere:
		list = m.fullPackets(&w, MaxPacket, MaxPackets)
	default:
		list = m.splitPackets(&w, cut)
	}
	if _, err := w.Finish(proto); err != nil {
		return nil, err
	}
	return list, nil
}

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
		for !f.text(kv.Key) || !f.text(kv.Value) {
			f.start()
		}
	}
	f.end()
	for section := players; section <= teams && !(section == teams && m.isMinecraft()); section++ {
		f.table(section, m.table(section))
	}
	f.finish()
	if f.over {
		w.Exceed("packets", len(f.packets)+1, f.limit)
		return nil
	}
	return f.packets
}

// A filler fills packets as GameSpy's code does. A text that does not fit is cut,
// and the last byte of the packet is 0. The next packet repeats the text, after the
// name of its column. Of a text that just fits, GameSpy's code does not know that it
// is whole, so it repeats that, too.
type filler struct {
	id      [4]byte
	size    int
	limit   int // of packets
	over    bool
	section int
	packets [][]byte
	packet  []byte
}

// sectionRoom is the room that a packet has at least for a section to start in it.
const sectionRoom = 100

func (f *filler) free() int { return f.size - len(f.packet) }

// start begins a packet, unless there are too many.
func (f *filler) start() {
	f.finish()
	f.over = len(f.packets) == f.limit
	w := wire.NewWriter(make([]byte, 0, f.size))
	header := Packet{ID: f.id, Number: uint8(min(len(f.packets), lastFlag-1))}
	header.append(&w)
	f.packet = append(w.Buffer(), byte(f.section))
}

// finish ends a packet. It is the last one until another starts.
func (f *filler) finish() {
	if f.packet == nil || f.over {
		return
	}
	if n := len(f.packets); n > 0 {
		f.packets[n-1][numberOffset] &^= lastFlag
	}
	f.packet[numberOffset] |= lastFlag
	f.packets = append(f.packets, f.packet)
	f.packet = nil
}

// text appends a text, or what fits of it. It reports whether the packet has room
// for more.
func (f *filler) text(s string) bool {
	if f.over {
		return true
	}
	if len(s)+1 < f.free() {
		f.packet = append(append(f.packet, s...), 0)
		return true
	}
	if n := f.free() - 1; n >= 0 {
		f.packet = append(append(f.packet, s[:min(n, len(s))]...), 0)
	}
	return false
}

// end appends the end of a column or section, unless the packet is full.
func (f *filler) end() {
	if f.free() > 0 {
		f.packet = append(f.packet, 0)
	}
}

func (f *filler) table(section int, t *Table) {
	f.section = section
	if f.free() < sectionRoom && len(f.packet) > bodyOffset+1 {
		f.start()
	} else {
		f.packet = append(f.packet, byte(section))
	}
	for column, name := range t.Columns {
		f.column(name, 0)
		for row := range t.Rows {
			for !f.text(t.Rows[row][column]) {
				f.start()
				f.column(name, row)
			}
		}
		f.end()
	}
	f.end()
}

// column appends the start of a column. If the packet is full after it, a new
// packet is started.
func (f *filler) column(name string, row int) {
	for {
		if f.text(name) {
			f.packet = append(f.packet, byte(row))
			if f.free() > 0 || f.over {
				return
			}
		}
		f.start()
	}
}
