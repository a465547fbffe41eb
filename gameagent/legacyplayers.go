package gameagent

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// LegacyPlayersID is the QueryID that the engine gives [LegacyPlayers].
const LegacyPlayersID = "6.1"

// LegacyPlayers answers the [LegacyRequest] for the players: a part of what a
// [LegacyStatus] tells, in its form.
type LegacyPlayers struct {
	Players []Player // in the order of the wire
	Extra   []Pair   // what belongs to no player
	QueryID string   // [LegacyPlayersID]; "" is none
}

// ParseLegacyPlayers reads a [LegacyPlayers] that came as one packet; see
// [LegacyAssembler].
func ParseLegacyPlayers(b []byte) (LegacyPlayers, error) {
	r := wire.NewReader(b)
	var m LegacyPlayers
	m.decode(&r)
	if err := r.Err(proto); err != nil {
		return LegacyPlayers{}, err
	}
	return m, nil
}

// ExplainLegacyPlayers accounts for every byte of a [LegacyPlayers].
func ExplainLegacyPlayers(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "LegacyPlayers", b, func(r *wire.Reader) { new(LegacyPlayers).decode(r) })
}

func (m *LegacyPlayers) decode(r *wire.Reader) {
	a := m.answer()
	a.decode(r, nil, nil, false)
	*m = LegacyPlayers{a.players, a.extra, a.queryID}
}

func (m *LegacyPlayers) answer() legacyAnswer {
	return legacyAnswer{true, m.Players, m.Extra, m.QueryID}
}

// AppendBinary appends the wire form to b, one packet. It refuses what
// [LegacyStatus.AppendBinary] does.
func (m LegacyPlayers) AppendBinary(b []byte) ([]byte, error) {
	a := m.answer()
	return a.appendBinary(b, nil, nil)
}

// Packets returns the datagrams of the answer, as [LegacyStatus.Packets] does.
func (m LegacyPlayers) Packets() ([][]byte, error) {
	a := m.answer()
	return a.packets(nil, nil)
}

// MarshalBinary returns the wire form.
func (m LegacyPlayers) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseLegacyPlayers] does.
func (m *LegacyPlayers) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseLegacyPlayers(b)
	return err
}
