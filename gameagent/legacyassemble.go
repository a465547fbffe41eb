package gameagent

import "github.com/lobbywire/lobbywire/internal/wire"

// A LegacyAssembler joins the packets of one [LegacyStatus], as [Assembler] does
// for Players. Its zero value is ready to use for the answer to
// LegacyQueryStatus.
type LegacyAssembler struct {
	// Query is the query that the packets answer. The answer to
	// LegacyQueryPlayers has no recognizable first packet, so it is done when the
	// last packet has arrived.
	Query LegacyQuery

	parts parts
}

// Add adds a packet, as [Assembler.Add] does.
func (a *LegacyAssembler) Add(b []byte) (done bool, err error) {
	r := wire.NewReader(b)
	var m LegacyStatus
	final := m.decodePart(&r, a.Query)
	if err = r.Err(proto); err == nil {
		err = a.parts.add(part{string(b), a.isFirst(b), final, firstIndex(m.Players)})
	}
	return a.done(), err
}

// isFirst reports whether a packet starts with a key that is not of a player.
func (a *LegacyAssembler) isFirst(b []byte) bool {
	if !a.hasFirst() {
		return false
	}
	r := wire.NewReader(b)
	r.Skip(1, "")
	key := decodeUntil(&r, slash, "")
	_, _, indexed := cutIndex(key)
	return !indexed && key != finalKey
}

func (a *LegacyAssembler) hasFirst() bool { return a.Query != LegacyQueryPlayers }

func (a *LegacyAssembler) done() bool { return a.parts.done(a.hasFirst()) }

// Missing returns the numbers of the packets that are known to be missing, as
// [Assembler.Missing] does.
func (a *LegacyAssembler) Missing() []int { return a.parts.missing(a.hasFirst()) }

// LegacyStatus parses the joined answer, as [Assembler.Players] does.
func (a *LegacyAssembler) LegacyStatus() (LegacyStatus, error) {
	if !a.done() {
		return LegacyStatus{}, errIncomplete()
	}
	return Options{Query: a.Query}.ParseLegacyStatus(a.parts.join())
}

// Reset prepares the LegacyAssembler for another answer to the same query.
func (a *LegacyAssembler) Reset() { *a = LegacyAssembler{Query: a.Query} }
