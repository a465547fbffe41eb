package sqp

import (
	"cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A QueryResponse answers a [QueryRequest]. On the wire it is a [Packet] whose body
// consists of the requested chunks. Each starts with chunkLength, the size of the rest of
// the chunk.
//
// Chunks have no tags. They are in the order of the bits of [Chunks]; a nil chunk is not
// part of the response.
//
//wire:message
type QueryResponse struct {
	Token       uint32
	Version     uint16 // see Packet
	ServerInfo  *ServerInfo
	ServerRules []Rule // nil means no chunk; an empty slice, a chunk without rules
	PlayerInfo  *Table
	TeamInfo    *Table
	Metrics     *Metrics
	Extra       []byte // the rest of the body
}

// decode needs the requested chunks, since chunks have no tags.
//
// A chunk that the server left out at the end is nil. If one is missing in the middle, the
// next is read in its place, so request each chunk that a server may lack in a query of its
// own. A part of a split response is [lobbywire.ErrUnsupported] at lastPacket; see
// [Assembler].
func (m *QueryResponse) decode(r *wire.Reader, o Options, chunks Chunks) {
	if o.Strict {
		r.RequireUTF8()
	}
	r.DecodeTexts(o.Text)
	var p Packet
	n := p.decodeSize(r, o)
	if p.LastPacket > 0 {
		r.Fail(wire.Unsupported("the response is split"), "lastPacket", packetLastPacketOffset)
	}
	m.Token = p.Token
	m.Version = p.Version
	outer := r.Enter(n, "packetLength", packetLengthOffset)
	m.decodeBody(r, o, chunks)
	r.Leave(outer)
	decodeEnd(r, o)
}

// decodeBody reads the chunks.
func (m *QueryResponse) decodeBody(r *wire.Reader, o Options, chunks Chunks) {
	for i, name := range chunkNames {
		if chunks&(1<<i) == 0 || r.Len() == 0 && !o.Strict {
			continue
		}
		r.In(name, -1)
		at := r.Offset()
		outer := r.Enter(int(r.Uint32("chunkLength")), "chunkLength", at)
		if r.Failed() {
			return
		}
		m.decodeChunk(r, o, 1<<i)
		r.Leave(outer)
	}
	r.In("", -1)
	m.Extra = r.Rest("extra")
}

// chunkLengthSize is the size of the length before each chunk.
const chunkLengthSize = 4

// openChunk appends the length of a chunk, which sealChunk sets.
func openChunk(w *wire.Writer) (at int) { return w.Size(chunkLengthSize) }

// sealChunk completes the chunk whose length is at offset at.
func sealChunk(w *wire.Writer, at int) { w.SetSize(at, chunkLengthSize, "chunkLength") }

// append fails if a text is longer than 255 bytes or not UTF-8, a count does not fit its
// field, a value does not have the type of its column, or the response is too long for one
// packet.
func (m *QueryResponse) append(w *wire.Writer) {
	p := Packet{Token: m.Token, Version: cmp.Or(m.Version, Version)}
	p.appendHeader(w)
	at := w.Size(2)
	m.appendBody(w)
	w.In("", -1)
	w.SetSize(at, 2, "packetLength")
}

func (m *QueryResponse) appendBody(w *wire.Writer) {
	w.RequireUTF8()
	m.appendChunks(w)
	w.Bytes(m.Extra)
}

// Packets returns the response as datagrams of at most [MaxDatagram] bytes, one if it fits.
// It fails if there are more than [MaxPackets], or for a reason of AppendBinary other than
// the length.
func (m QueryResponse) Packets() ([][]byte, error) {
	w := wire.NewWriter(nil)
	m.appendBody(&w)
	body, err := w.Finish(proto)
	if err != nil {
		return nil, err
	}
	last := max(0, len(body)-1) / packetBody
	if last >= MaxPackets {
		return nil, &lobbywire.Error{Proto: proto, Field: "lastPacket", Offset: -1,
			Err: wire.Exceeded(last, MaxPackets-1)}
	}
	p := Packet{Token: m.Token, Version: m.Version, LastPacket: uint8(last)}
	all := make([][]byte, last+1)
	for n := range all {
		p.CurrentPacket = uint8(n)
		p.Body = body[n*packetBody : min(len(body), (n+1)*packetBody)]
		all[n], err = p.AppendBinary(make([]byte, 0, bodyOffset+len(p.Body)))
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
