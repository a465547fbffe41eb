package gameagent

import (
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A LegacyAssembler joins the packets of one [LegacyStatus], as [Assembler] does
// for Players. Its zero value is ready to use for the answer to
// LegacyQueryStatus.
//
// Packets with a number in their query ID, as [LegacyStatus.Packets] returns them,
// are joined by number, so the loss of any packet is recognized. The joined answer
// has the query ID of its first packet, or of its last if the others have none.
type LegacyAssembler struct {
	// Options are for the joined answer. Options.Query is the query that the packets
	// answer. The answer to LegacyQueryPlayers has no recognizable first packet, so it
	// is done when the last packet has arrived.
	Options Options

	parts parts
}

// Add adds a packet, as [Assembler.Add] does.
func (a *LegacyAssembler) Add(b []byte) (done bool, err error) {
	if startsWithLegacyKey(b) {
		b = append([]byte{slash}, b...)
	}
	r := wire.NewReader(b)
	var m LegacyStatus
	final, queryID := m.decodePart(&r, a.Options.Query)
	if err = r.Err(proto); err == nil {
		p := part{text: string(b), first: a.isFirst(b), last: final, index: firstIndex(m.Players)}
		p.id, p.number = cutLegacyPartID(m.QueryID)
		if p.number == 1 && p.last && !p.first {
			p.number = 0 // the engine sends this in its last packet, whatever its number
		}
		if p.number > 0 {
			p.first = p.number == 1
		}
		if p.number > 1 {
			p.text = p.text[:queryID] + p.text[queryID+len(legacyEnding(m.QueryID)):]
		}
		err = a.parts.add(p)
	}
	return a.parts.done(a.hasFirst()), err
}

// isFirst reports whether a packet starts with a key that is not of a player.
func (a *LegacyAssembler) isFirst(b []byte) bool {
	key, _, _ := strings.Cut(string(b[1:]), `\`)
	_, _, indexed := cutIndex(key)
	return a.hasFirst() && !indexed && key != finalKey
}

func (a *LegacyAssembler) hasFirst() bool { return a.Options.Query != LegacyQueryPlayers }

// Missing returns the numbers of the packets that are known to be missing, as
// [Assembler.Missing] does.
func (a *LegacyAssembler) Missing() []int { return a.parts.missing(a.hasFirst()) }

// LegacyStatus parses the joined answer, as [Assembler.Players] does.
func (a *LegacyAssembler) LegacyStatus() (LegacyStatus, error) {
	o := a.Options
	o.Part = true
	return join(a.parts, a.hasFirst(), o.ParseLegacyStatus)
}
