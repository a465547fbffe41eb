package warzone

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A GameIDReply answers a [GameIDRequest]. 4 bytes, big-endian.
type GameIDReply struct {
	GameID uint32 // not 0; 1 to 2³¹-1 in the lobbies known, without Filler1
}

// ParseGameIDReply reads a [GameIDReply].
func ParseGameIDReply(b []byte) (GameIDReply, error) {
	r := wire.NewReader(b)
	var m GameIDReply
	m.decode(&r)
	r.End()
	if err := r.Err(proto); err != nil {
		return GameIDReply{}, err
	}
	return m, nil
}

// ExplainGameIDReply accounts for every byte of a [GameIDReply].
func ExplainGameIDReply(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "GameIDReply", b, func(r *wire.Reader) {
		new(GameIDReply).decode(r)
		r.End()
	})
}

func (m *GameIDReply) decode(r *wire.Reader) { m.GameID = r.Uint32("gameId") }

// AppendBinary appends the wire form to b. It does not fail.
func (m GameIDReply) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Uint32(m.GameID)
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m GameIDReply) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseGameIDReply] does.
func (m *GameIDReply) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseGameIDReply(b)
	return err
}
