package gameagent

import "github.com/lobbywire/lobbywire/internal/wire"

// A LegacyAssembler joins the packets of one [LegacyStatus] or [LegacyPlayers],
// as [Assembler] does those of Players. Its zero value is ready for a status.
type LegacyAssembler struct {
	// Query is what was asked for. An answer to LegacyQueryPlayers has no
	// first packet, so it is done when the last has come.
	Query LegacyQuery

	parts parts
}

// Add takes a packet and tells whether the first and the last have come. b is
// not kept. Packets are ignored and refused as by [Assembler.Add].
func (a *LegacyAssembler) Add(b []byte) (done bool, err error) {
	r := wire.NewReader(b)
	var m LegacyStatus
	final := m.decode(&r, true)
	if err = r.Err(proto); err == nil {
		err = a.parts.add(part{string(b), a.isFirst(b), final, firstIndex(m.Players)})
	}
	return a.done(), err
}

// isFirst tells whether a packet begins with other keys than those of a player.
func (a *LegacyAssembler) isFirst(b []byte) bool {
	if a.Query == LegacyQueryPlayers {
		return false
	}
	r := wire.NewReader(b)
	r.Skip(1, "")
	key := decodeUntil(&r, slash, "")
	_, _, indexed := cutIndex(key)
	return !indexed && key != finalKey
}

func (a *LegacyAssembler) done() bool {
	first, last := a.Missing()
	return !first && !last
}

// Missing tells which of the first and the last packet have not come.
func (a *LegacyAssembler) Missing() (first, last bool) {
	first, last = a.parts.missing()
	return first && a.Query != LegacyQueryPlayers, last
}

// Status parses the joined answer to a query for the status, as
// [Assembler.Players] does.
func (a *LegacyAssembler) Status() (LegacyStatus, error) {
	if !a.done() {
		return LegacyStatus{}, errIncomplete()
	}
	return ParseLegacyStatus(a.parts.join())
}

// Players parses the joined answer to a query for the players, as
// [Assembler.Players] does.
func (a *LegacyAssembler) Players() (LegacyPlayers, error) {
	if !a.done() {
		return LegacyPlayers{}, errIncomplete()
	}
	return ParseLegacyPlayers(a.parts.join())
}

// Reset makes the LegacyAssembler ready for another answer to the same query.
func (a *LegacyAssembler) Reset() { *a = LegacyAssembler{Query: a.Query} }
