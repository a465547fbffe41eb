package sqp

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Packet is one datagram of an answer, its body not taken apart. Whole
// answers are one packet; see [QueryResponse]. Parts of a split answer go into
// an [Assembler].
//
//	offset  size  field
//	0       1     type, 1
//	1       4     token, big-endian
//	5       2     version, big-endian
//	7       1     currentPacket, from 0
//	8       1     lastPacket
//	9       2     packetLength, of the body, big-endian
//	11      n     body
type Packet struct {
	Token         uint32 // that of the request
	Version       uint16 // 1; Unity's C# server sends 0
	CurrentPacket uint8  // number of this packet
	LastPacket    uint8  // number of the last packet, the same in all
	Body          []byte // a part of the chunks, cut anywhere; 65535 bytes at most
}

// ParsePacket reads a [Packet].
func ParsePacket(b []byte) (Packet, error) { return Options{}.ParsePacket(b) }

// ParsePacket reads a [Packet].
func (o Options) ParsePacket(b []byte) (Packet, error) {
	r := wire.NewReader(b)
	var m Packet
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Packet{}, err
	}
	return m, nil
}

// ExplainPacket accounts for every byte of a [Packet].
func ExplainPacket(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Packet", b, func(r *wire.Reader) { new(Packet).decode(r, Options{}) })
}

func (m *Packet) decode(r *wire.Reader, o Options) {
	n := m.decodeHeader(r, o)
	m.Body = r.Bytes(n, "body")
	decodeEnd(r, o)
}

// decodeHeader reads all but the body, the length of which it returns.
func (m *Packet) decodeHeader(r *wire.Reader, o Options) (n int) {
	decodeType(r, TypeQuery)
	m.Token = r.Uint32("token")
	at := r.Offset()
	m.Version = r.Uint16("version")
	if o.Strict && m.Version != Version {
		r.Fail(lobbywire.ErrUnsupported, "version", at)
	}
	at = r.Offset()
	m.CurrentPacket = r.Uint8("currentPacket")
	m.LastPacket = r.Uint8("lastPacket")
	if m.CurrentPacket > m.LastPacket {
		r.Fail(lobbywire.ErrInvalid, "currentPacket", at)
	}
	return int(r.Uint16("packetLength"))
}

// decodeEnd judges what follows the body. Some servers add a zero byte.
func decodeEnd(r *wire.Reader, o Options) {
	if o.Strict {
		r.End()
		return
	}
	r.Skip(r.Len(), "ignored")
}

// AppendBinary appends the wire form to b. It fails if CurrentPacket is above
// LastPacket or Body is too long.
func (m Packet) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	if m.CurrentPacket > m.LastPacket {
		w.Fail(lobbywire.ErrInvalid, "currentPacket")
	}
	at := appendHeader(&w, m.Token, m.Version, m.CurrentPacket, m.LastPacket)
	w.Bytes(m.Body)
	w.SetSize16(at, "body")
	return w.Finish(proto)
}

// appendHeader appends all but the body and returns the place of its length.
func appendHeader(w *wire.Writer, token uint32, version uint16, current, last uint8) (at int) {
	w.Uint8(uint8(TypeQuery))
	w.Uint32(token)
	w.Uint16(version)
	w.Uint8(current)
	w.Uint8(last)
	return w.Size16()
}

// MarshalBinary returns the wire form.
func (m Packet) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParsePacket] does.
func (m *Packet) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParsePacket(b)
	return err
}
