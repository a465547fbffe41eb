package gameagent

import (
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Ping answers [PingRequest]: the byte 4 and the number of players in decimal
// digits, as 04 31 36 for 16.
type Ping struct {
	Players int // on the server now, from 0 to 2147483647
}

// ParsePing reads a [Ping].
func ParsePing(b []byte) (Ping, error) {
	r := wire.NewReader(b)
	var m Ping
	m.decode(&r)
	if err := r.Err(proto); err != nil {
		return Ping{}, err
	}
	return m, nil
}

// ExplainPing accounts for every byte of a [Ping].
func ExplainPing(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Ping", b, func(r *wire.Reader) { new(Ping).decode(r) })
}

func (m *Ping) decode(r *wire.Reader) {
	decodeType(r, typePing)
	m.Players = int(decodeDecimal(r, math.MaxInt32, noEnd, "players"))
}

// AppendBinary appends the wire form to b. It refuses numbers below 0 or above
// 2147483647.
func (m Ping) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Uint8(typePing)
	appendNumber(&w, &m.Players, "players")
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m Ping) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParsePing] does.
func (m *Ping) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParsePing(b)
	return err
}
