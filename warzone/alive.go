package warzone

import (
	"bytes"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// An AliveRequest asks a host of 4.x at its game port whether it is there. 8
// zero bytes: a client who wants to join sends its netcode version in their
// place.
type AliveRequest struct{}

// ParseAliveRequest reads an [AliveRequest]. The netcode version of a client
// who wants to join is [lobbywire.ErrUnsupported].
func ParseAliveRequest(b []byte) (AliveRequest, error) {
	r := wire.NewReader(b)
	var m AliveRequest
	m.decode(&r)
	if err := r.Err(proto); err != nil {
		return AliveRequest{}, err
	}
	return m, nil
}

// ExplainAliveRequest accounts for every byte of an [AliveRequest].
func ExplainAliveRequest(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "AliveRequest", b, func(r *wire.Reader) { new(AliveRequest).decode(r) })
}

func (m *AliveRequest) decode(r *wire.Reader) {
	decodeZero(r, "netcodeMajor")
	decodeZero(r, "netcodeMinor")
	r.End()
}

// decodeZero reads a number that has to be 0, which can be told early.
func decodeZero(r *wire.Reader, field string) {
	p := r.Peek()
	if p = p[:min(len(p), 4)]; bytes.Count(p, []byte{0}) < len(p) {
		r.Fail(lobbywire.ErrUnsupported, field, r.Offset())
	}
	r.Uint32(field)
}

// AppendBinary appends the wire form to b. It does not fail.
func (m AliveRequest) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Uint64(0)
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m AliveRequest) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseAliveRequest] does.
func (m *AliveRequest) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseAliveRequest(b)
	return err
}

// AliveVersion is the only known version of an [AliveReply].
const AliveVersion = 1

// An AliveReply answers an [AliveRequest]; the host then closes the
// connection. Big-endian:
//
//	offset  size  field
//	0       4     magic, "WZLR"
//	4       4     version, 1
//	8       4     gameId
type AliveReply struct {
	Version uint32 // AliveVersion
	GameID  uint32 // what the lobby gave the game that is being played here
}

// ParseAliveReply reads an [AliveReply].
func ParseAliveReply(b []byte) (AliveReply, error) {
	r := wire.NewReader(b)
	var m AliveReply
	m.decode(&r)
	if err := r.Err(proto); err != nil {
		return AliveReply{}, err
	}
	return m, nil
}

// ExplainAliveReply accounts for every byte of an [AliveReply].
func ExplainAliveReply(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "AliveReply", b, func(r *wire.Reader) { new(AliveReply).decode(r) })
}

// magic is how an AliveReply starts.
const magic = "WZLR"

func (m *AliveReply) decode(r *wire.Reader) {
	p := r.Peek()
	if n := min(len(p), len(magic)); string(p[:n]) != magic[:n] {
		r.Fail(lobbywire.ErrInvalid, "magic", r.Offset())
	}
	r.ViewWithin(0, len(magic), 0, "magic")
	m.Version = r.Uint32("version")
	m.GameID = r.Uint32("gameId")
	r.End()
}

// AppendBinary appends the wire form to b. It does not fail.
func (m AliveReply) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Text(magic)
	w.Uint32(m.Version)
	w.Uint32(m.GameID)
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m AliveReply) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseAliveReply] does.
func (m *AliveReply) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseAliveReply(b)
	return err
}
