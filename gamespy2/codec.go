package gamespy2

import "github.com/lobbywire/lobbywire/internal/wire"

// decode fails with [lobbywire.ErrUnsupported] at number if the packet is one of
// several of a split response; see [Assembler] and [Options.Part].
//
// For a plain response without [Options.Sections], it guesses the sections. The response
// contains info unless it starts with a row count: a byte 0 and more bytes. Players and
// teams follow if there are more bytes; a first table whose first column ends in _t is
// teams. No known game sends a response for which the guess is wrong.
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
	reader := packetReader{tableReader: tableReader{o: o}, justCause2: !o.Strict && p.isJustCause2(r.Peek())}
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
//   - a text contains a zero byte
//   - a key or column name is empty or longer than [MaxName]
//   - a row does not have one value for each column
//   - in plain form, a value of a first column is empty
//   - in split form, any value of a table is empty, a column name does not end
//     in _ for players or in _t for teams, or two columns have the same name
//   - in a full stat of Minecraft, Info does not start with the keys of [Minecraft] in
//     their order, or there are columns other than player_
//
// Some clients misread responses that break one of the last three rules.
func (m *Response) append(w *wire.Writer) {
	if m.Split {
		m.appendSplit(w)
	} else {
		m.appendPlain(w)
	}
}
