package sqp

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A QueryResponse is a whole answer. It is sent as one [Packet], the body of
// which holds the chunks asked for, each after its length:
//
//	size  field
//	11    ..., the header of the Packet
//	per chunk:
//	4     chunkLength, of what follows, big-endian
//	n     ...
//
// No tag tells which chunk is which: they follow in the order of the bits of
// [Chunks]. A chunk that is nil is not in the answer.
//
//wire:message
type QueryResponse struct {
	Token       uint32
	Version     uint16 // see Packet
	ServerInfo  *ServerInfo
	ServerRules []Rule // nil is no chunk, empty is a chunk without rules
	PlayerInfo  *Table
	TeamInfo    *Table
	Metrics     *Metrics
	Extra       []byte // what follows the chunks in the body
}

// decode needs to know which chunks were asked for, since chunks have no tags.
//
// A chunk that the server left out at the end is nil. One left out in the
// middle cannot be noticed but by the disorder that follows, so ask servers
// that lack chunks for one at a time. A part of a split answer is refused with
// [lobbywire.ErrUnsupported] at lastPacket; see [Assembler].
func (m *QueryResponse) decode(r *wire.Reader, o Options, chunks Chunks) {
	var p Packet
	n := p.decodeSize(r, o)
	if p.LastPacket > 0 {
		r.Fail(lobbywire.ErrUnsupported, "lastPacket", lastPacketOffset)
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

func (m *QueryResponse) decodeChunk(r *wire.Reader, o Options, chunk Chunks) {
	switch chunk {
	case ChunkServerInfo:
		m.ServerInfo = new(ServerInfo)
		m.ServerInfo.decode(r, o)
	case ChunkServerRules:
		m.ServerRules = decodeRules(r)
	case ChunkPlayerInfo:
		m.PlayerInfo = new(Table)
		m.PlayerInfo.decode(r, o, playerInfo)
	case ChunkTeamInfo:
		m.TeamInfo = new(Table)
		m.TeamInfo.decode(r, o, teamInfo)
	case ChunkMetrics:
		m.Metrics = new(Metrics)
		m.Metrics.decode(r)
	}
}

// append fails if a text is longer than 255 bytes, a count does not fit its
// field, a value is not of its column's type, or the whole is too long for one
// packet.
func (m *QueryResponse) append(w *wire.Writer) {
	p := Packet{Token: m.Token, Version: m.Version}
	p.appendHeader(w)
	at := w.Size16()
	m.appendBody(w)
	w.In("", -1)
	w.SetSize16(at, "packetLength")
}

func (m *QueryResponse) appendBody(w *wire.Writer) {
	if m.ServerInfo != nil {
		w.In("serverInfo", -1)
		at := w.Size32()
		m.ServerInfo.append(w)
		w.SetSize32(at, "chunkLength")
	}
	if m.ServerRules != nil {
		at := w.Size32()
		appendRules(w, m.ServerRules)
		w.SetSize32(at, "chunkLength")
	}
	if m.PlayerInfo != nil {
		at := w.Size32()
		m.PlayerInfo.append(w, playerInfo)
		w.SetSize32(at, "chunkLength")
	}
	if m.TeamInfo != nil {
		at := w.Size32()
		m.TeamInfo.append(w, teamInfo)
		w.SetSize32(at, "chunkLength")
	}
	if m.Metrics != nil {
		w.In("metrics", -1)
		at := w.Size32()
		m.Metrics.append(w)
		w.SetSize32(at, "chunkLength")
	}
	w.Bytes(m.Extra)
}

// Chunks returns which chunks the answer holds.
func (m QueryResponse) Chunks() Chunks {
	var c Chunks
	for chunk, present := range [...]bool{
		m.ServerInfo != nil, m.ServerRules != nil, m.PlayerInfo != nil,
		m.TeamInfo != nil, m.Metrics != nil,
	} {
		if present {
			c |= 1 << chunk
		}
	}
	return c
}
