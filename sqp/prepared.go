package sqp

import (
	"encoding/binary"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Prepared is a [QueryResponse] whose chunks are encoded, so that a server
// answers each query with a copy of those it asks for.
type Prepared struct {
	header []byte
	chunks [len(chunkNames)][]byte
}

// Prepare encodes m. It fails as AppendBinary of m does. Token and Extra are not
// kept.
func (m QueryResponse) Prepare() (Prepared, error) {
	if _, err := m.MarshalBinary(); err != nil {
		return Prepared{}, err
	}
	var p Prepared
	p.header, _ = QueryResponse{Version: m.Version}.MarshalBinary()
	for i, chunk := range [...]QueryResponse{
		{ServerInfo: m.ServerInfo},
		{ServerRules: m.ServerRules},
		{PlayerInfo: m.PlayerInfo},
		{TeamInfo: m.TeamInfo},
		{Metrics: m.Metrics},
	} {
		w := wire.NewWriter(nil)
		chunk.appendBody(&w)
		p.chunks[i], _ = w.Finish(proto)
	}
	return p, nil
}

// AppendAnswer appends the answer to q: a [QueryResponse] with its token and the
// chunks that it asks for, as far as there are any.
func (p *Prepared) AppendAnswer(b []byte, q QueryRequest) []byte {
	start := len(b)
	b = append(b, p.header...)
	for i, chunk := range p.chunks {
		if q.Chunks&(1<<i) != 0 {
			b = append(b, chunk...)
		}
	}
	packet := b[start:]
	binary.BigEndian.PutUint32(packet[tokenOffset:], q.Token)
	binary.BigEndian.PutUint16(packet[packetLengthOffset:], uint16(len(packet)-len(p.header))) // all of m fits
	return b
}
