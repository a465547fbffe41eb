package sqp

import (
	"bytes"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// An Assembler joins the packets of one response, in any order. The zero
// Assembler is ready to use. It holds at most [MaxPackets] packets and MaxAnswer
// bytes. Most responses are one packet.
type Assembler struct {
	// Options are for the packets and for the joined response.
	Options Options

	// MaxAnswer limits the bytes of all bodies; 0 means 94 208,
	// which are 64 datagrams of [MaxDatagram].
	MaxAnswer int

	first Packet // the first added; all share its token, version and last packet
	parts map[uint8][]byte
	size  int
}

// Add adds a packet and reports whether the response is complete. It does not
// keep b.
//
// Add ignores a packet that was added before. It fails with [lobbywire.ErrInvalid] if the
// packet contradicts earlier ones: in token, last packet or, with the same number, body. On
// error the Assembler is unchanged.
func (a *Assembler) Add(b []byte) (done bool, err error) {
	p, err := a.Options.ParsePacket(b)
	if err != nil {
		return a.done(), err
	}
	if field, at, kind := a.conflict(p); kind != nil {
		return a.done(), &lobbywire.Error{Proto: proto, Field: field, Offset: at, Err: kind}
	}
	if a.parts == nil {
		a.parts = make(map[uint8][]byte)
		a.first = p
	}
	if _, ok := a.parts[p.CurrentPacket]; !ok {
		a.parts[p.CurrentPacket] = p.Body
		a.size += len(p.Body)
	}
	return a.done(), nil
}

// conflict returns the field of p that contradicts the packets before it, if any.
func (a *Assembler) conflict(p Packet) (field string, at int, kind error) {
	limit := wire.Limit(a.MaxAnswer, maxAnswer)
	old, dup := a.parts[p.CurrentPacket]
	switch {
	case a.parts != nil && p.Token != a.first.Token:
		return "token", packetTokenOffset, wire.Invalid("belongs to another answer")
	case a.parts != nil && p.LastPacket != a.first.LastPacket:
		return "lastPacket", packetLastPacketOffset, wire.Invalid("differs from earlier packets")
	case dup && !bytes.Equal(old, p.Body):
		return "currentPacket", packetCurrentPacketOffset, wire.Invalid("repeats an earlier packet with another body")
	case !dup && len(p.Body) > limit-a.size:
		return "body", bodyOffset, wire.Exceeded(a.size+len(p.Body), limit)
	}
	return "", 0, nil
}

func (a *Assembler) done() bool {
	return a.parts != nil && len(a.parts) == int(a.first.LastPacket)+1
}

// Missing returns the numbers of the packets that have not been added, in order. It is nil
// before the first packet.
func (a *Assembler) Missing() []int {
	var missing []int
	for n := 0; a.parts != nil && n <= int(a.first.LastPacket); n++ {
		if _, ok := a.parts[uint8(n)]; !ok {
			missing = append(missing, n)
		}
	}
	return missing
}

// QueryResponse parses the joined response to a query for chunks. Offsets in
// errors count from the start of one packet with all bodies joined. While
// packets are missing, the error is [lobbywire.ErrTruncated].
func (a *Assembler) QueryResponse(chunks Chunks) (QueryResponse, error) {
	if !a.done() {
		return QueryResponse{}, &lobbywire.Error{Proto: proto, Field: "body", Offset: bodyOffset,
			Err: lobbywire.ErrTruncated}
	}
	// The length field of a header is too small for a joined body. Zeros stand for the
	// header, so that offsets in errors are right.
	joined := make([]byte, bodyOffset, bodyOffset+a.size)
	for n := range len(a.parts) {
		joined = append(joined, a.parts[uint8(n)]...)
	}
	r := wire.NewReader(joined)
	if a.Options.Strict {
		r.RequireUTF8()
	}
	r.DecodeTexts(a.Options.Text)
	r.Skip(bodyOffset, "")
	outer := r.Enter(r.Len(), "packetLength", packetLengthOffset)
	m := QueryResponse{Token: a.first.Token, Version: a.first.Version}
	m.decodeBody(&r, a.Options, chunks)
	r.Leave(outer)
	if err := r.Err(proto); err != nil {
		return QueryResponse{}, err
	}
	return m, nil
}
