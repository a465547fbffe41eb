package gameagent

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Challenge is how a master makes sure that a server is where it seems to be:
// the server sends the number back, in a [Heartbeat]. 5 bytes:
//
//	offset  size  field
//	0       1     type, 1
//	1       4     challenge, little-endian
type Challenge struct {
	// Challenge is what the heartbeat must hold. The original master hands out
	// 0 to 2147483647; 0 is also what periodic heartbeats hold, so avoid it.
	Challenge int32
}

// ParseChallenge reads a [Challenge]. Bytes after it are ignored.
func ParseChallenge(b []byte) (Challenge, error) { return Options{}.ParseChallenge(b) }

// ParseChallenge reads a [Challenge]. With Strict, bytes after it are refused.
func (o Options) ParseChallenge(b []byte) (Challenge, error) {
	r := wire.NewReader(b)
	var m Challenge
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Challenge{}, err
	}
	return m, nil
}

// ExplainChallenge accounts for every byte of a [Challenge].
func ExplainChallenge(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Challenge", b, func(r *wire.Reader) { new(Challenge).decode(r, Options{}) })
}

func (m *Challenge) decode(r *wire.Reader, o Options) {
	decodeType(r, typeChallenge)
	m.Challenge = int32(r.Uint32LE("challenge"))
	decodeEnd(r, o)
}

// AppendBinary appends the wire form to b. It does not fail.
func (m Challenge) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Uint8(typeChallenge)
	w.Uint32LE(uint32(m.Challenge))
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m Challenge) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseChallenge] does.
func (m *Challenge) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseChallenge(b)
	return err
}
