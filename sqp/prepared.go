package sqp

import (
	"encoding/binary"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Prepared is a [QueryResponse] whose chunks are encoded, so that a server
// answers each query with a copy of the requested ones.
type Prepared struct {
	chunks [len(chunkNames)][]byte
}

// Prepare encodes the chunks of m, without Token, Version and Extra. It fails if
// AppendBinary of m does.
func (m QueryResponse) Prepare() (Prepared, error) {
	b, err := m.AppendBinary(nil)
	if err != nil {
		return Prepared{}, err
	}
	var p Prepared
	body := b[bodyOffset:]
	for i := range p.chunks {
		if m.Chunks()&(1<<i) != 0 {
			size := chunkLengthSize + binary.BigEndian.Uint32(body)
			p.chunks[i], body = body[:size:size], body[size:]
		}
	}
	return p, nil
}

// Packets returns the number of packets of the answer to q: one if it has at most
// [MaxDatagram] bytes.
func (p *Prepared) Packets(q QueryRequest) int {
	return max(1, (p.size(q.Chunks)+packetBody-1)/packetBody)
}

// size returns the size of the chunks in c.
func (p *Prepared) size(c Chunks) (n int) {
	for i, chunk := range p.chunks {
		if c&(1<<i) != 0 {
			n += len(chunk)
		}
	}
	return n
}

// AppendPacket appends packet n of the answer to q, from 0 to Packets(q)-1. The answer has
// the token and the version of q, even 0, and contains those of the requested chunks that
// exist.
func (p *Prepared) AppendPacket(b []byte, q QueryRequest, n int) []byte {
	from, to := n*packetBody, min((n+1)*packetBody, p.size(q.Chunks))
	m := Packet{Token: q.Token, Version: q.Version, CurrentPacket: uint8(n), LastPacket: uint8(p.Packets(q) - 1)}
	w := wire.NewWriter(b)
	m.appendHeader(&w)
	w.Uint16(uint16(to - from))
	at := 0 // of the chunk in the answer
	for i, chunk := range p.chunks {
		if q.Chunks&(1<<i) == 0 {
			continue
		}
		if start, end := max(from-at, 0), min(to-at, len(chunk)); start < end {
			w.Bytes(chunk[start:end])
		}
		at += len(chunk)
	}
	b, _ = w.Finish(proto) // it always fits
	return b
}
