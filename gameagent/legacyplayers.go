package gameagent

import "github.com/lobbywire/lobbywire/internal/wire"

// LegacyPlayers answers a [LegacyRequest] for the players. It is a part of
// [LegacyStatus] in the same form.
//
//wire:message
type LegacyPlayers struct {
	Players []Player // in the order of the wire
	Extra   []Pair   // pairs that belong to no player
	QueryID string   // from the engine that of [LegacyQuery.ID]; "" if there is none
}

func (m *LegacyPlayers) answer() legacyAnswer {
	return legacyAnswer{nil, &m.Players, &m.Extra, &m.QueryID}
}

// decode needs the whole answer in one packet. [LegacyAssembler] joins the
// packets of a longer answer.
func (m *LegacyPlayers) decode(r *wire.Reader, _ Options) {
	a := m.answer()
	a.decode(r, nil)
}

// append writes a single packet. It fails as [LegacyStatus.AppendBinary] does.
func (m *LegacyPlayers) append(w *wire.Writer) {
	a := m.answer()
	a.append(w, nil)
}

// Packets returns the answer as datagrams, as [LegacyStatus.Packets] does.
func (m LegacyPlayers) Packets() ([][]byte, error) {
	a := m.answer()
	return a.packets(nil)
}
