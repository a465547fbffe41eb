package sqp

import (
	"cmp"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Packet is one datagram of a response, with its body undecoded. Most
// responses are one packet; see [QueryResponse]. An [Assembler] joins the packets
// of a split response.
//
// currentPacket counts from 0; lastPacket is its value in the last packet.
// packetLength is the size of the body.
//
//wire:message type=TypeQuery
type Packet struct {
	Token         uint32 `wire:"token"`         // of the request
	Version       uint16 `wire:"version"`       // of the server; Unity's C# server sends 0
	CurrentPacket uint8  `wire:"currentPacket"` // number of this packet
	LastPacket    uint8  `wire:"lastPacket"`    // number of the last packet, the same in all
	Body          []byte // a part of the chunks, cut anywhere; at most 65535 bytes
}

func (m *Packet) decode(r *wire.Reader, o Options) {
	n := m.decodeSize(r, o)
	m.Body = r.Bytes(n, "body")
	decodeEnd(r, o)
}

// decodeSize reads everything before the body and returns the size of the body.
func (m *Packet) decodeSize(r *wire.Reader, o Options) (n int) {
	m.decodeHeader(r)
	switch {
	case o.Strict && m.Version > VersionMetrics:
		r.Fail(wire.Unsupported("is greater than 2"), "version", packetVersionOffset)
	case m.CurrentPacket > m.LastPacket:
		r.Refuse("currentPacket", packetCurrentPacketOffset, "is greater than lastPacket")
	}
	return int(r.Uint16("packetLength"))
}

// Offsets of the fields.
const (
	packetTokenOffset         = 1
	packetVersionOffset       = 5
	packetCurrentPacketOffset = 7
	packetLastPacketOffset    = 8
	packetLengthOffset        = 9
	bodyOffset                = packetLengthOffset + 2
)

// packetBody is the size of the body of a full packet.
const packetBody = MaxDatagram - bodyOffset

// decodeEnd reads the bytes after the body. Some servers add a zero byte.
func decodeEnd(r *wire.Reader, o Options) {
	if o.Strict {
		r.End()
		return
	}
	r.Skip(r.Len(), "ignored")
}

// append fails if CurrentPacket is above LastPacket or Body is too long.
func (m *Packet) append(w *wire.Writer) {
	if m.CurrentPacket > m.LastPacket {
		w.Refuse("currentPacket", "is greater than lastPacket")
	}
	header := *m
	header.Version = cmp.Or(m.Version, Version)
	header.appendHeader(w)
	at := w.Size(2)
	w.Bytes(m.Body)
	w.SetSize(at, 2, "body")
}
