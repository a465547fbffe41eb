package gamespy1

import (
	"strings"

	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// An Assembler joins the packets of one [Status], which may arrive in any order. Its zero
// value is ready to use for the answer to QueryStatus. It holds up to [MaxPackets] packets
// and [MaxAnswer] bytes.
//
// Packets with a number in their query ID, as [Status.Packets] returns them, are joined by
// number, so the loss of any packet is recognized. Among packets without numbers, the loss
// of one between the first and the last cannot be recognized. Numbers may start at 0, be
// the whole query ID, as in mods of SWAT 4, or precede the first key, as in AdminMod. The
// query ID of the joined answer is that of its first packet, or else the first one found.
//
// Descent 3 puts the end mark in all packets. Its answer is complete when it contains as
// many players as it counts.
type Assembler struct {
	// Options are for the joined answer. Options.Query is the query that the packets
	// answer. Only the answer to QueryStatus has a recognizable first packet, which
	// contains the key hostname or gamename. Other answers are complete when the last
	// packet has arrived.
	Options Options

	parts parts
}

// Add adds a packet. It reports whether no packet is known to be missing. b is not kept.
//
// Add ignores a packet that was added before. It refuses one that cannot belong to the same
// answer with [lobbywire.ErrInvalid]. On error, the state is unchanged.
func (a *Assembler) Add(b []byte) (done bool, err error) {
	if startsWithFirstKey(b) {
		b = append([]byte{slash}, b...)
	}
	p, ok := statusResponse(b)
	if !ok {
		p, err = a.part(b)
	}
	if err == nil {
		err = a.parts.add(p)
	}
	return a.parts.done(a.hasFirst()), err
}

// part reads a packet.
func (a *Assembler) part(b []byte) (p part, err error) {
	r := wire.NewReader(b)
	var m Status
	marks := m.decodePart(&r, a.Options.Query)
	if err = r.Err(proto); err != nil {
		return part{}, err
	}
	p = part{text: string(b), last: marks.final, index: firstIndex(m.Players)}
	p.id, p.number, p.plain = cutPartID(m.QueryID)
	if p.plain && !a.hasFirst() {
		p.number = unnumbered // of the query, as far as is known
	}
	p.first = a.hasFirst() && marks.named
	if marks.queryID >= 0 {
		p.idAt, p.idEnd = marks.queryID, marks.queryID+len(ending(m.QueryID))
		p.idEnd += len(p.text[p.idEnd:]) - len(strings.TrimLeft(p.text[p.idEnd:], "\x00"))
		p.mark(&m)
	}
	return p, nil
}

// mark recognizes a packet of Descent 3, which is numbered and whose end mark has no value.
func (p *part) mark(m *Status) {
	at := p.idAt - len(bareFinal)
	if p.number == unnumbered || p.plain || at < 0 || !strings.EqualFold(p.text[at:p.idAt], bareFinal) {
		return
	}
	p.marked, p.idAt = true, at
	for _, player := range m.Players {
		p.listed = max(p.listed, player.Index+1)
	}
	if m.NumPlayers != nil {
		p.counted = *m.NumPlayers
	}
}

// bareFinal is an end mark without a value.
const bareFinal = `\` + finalKey

// Keys of the packets of AdminMod, a mod of SWAT 4.
const (
	statusResponseKey = `\statusresponse\`
	eofEnd            = `\eof\`
)

// statusResponse reads a packet of AdminMod. Its number, from 0, is the first pair. A key
// at its end may have its value in the next packet:
//
//	\statusresponse\0\hostname\...\score_0\eof\
//	\statusresponse\1\0\score_1\2\...\queryid\AMv1\final\\eof\
//
// Some versions end each packet with a query ID instead:
//
//	\statusresponse\0\hostname\...\score_0\queryid\0
//	\statusresponse\1\0\score_1\2\...\queryid\1\final\
func statusResponse(b []byte) (p part, ok bool) {
	rest, ok := strings.CutPrefix(trimZeros(string(b)), statusResponseKey)
	digits, _, _ := strings.Cut(rest, `\`)
	number, isNumber := pairs.ParseNumber(digits)
	text, ended := strings.CutSuffix(rest[len(digits):], eofEnd)
	body, last := strings.CutSuffix(text, endMark)
	p = part{text: text, last: last, index: int(number), id: statusResponseKey, number: int(number), splitsPairs: true}
	p.first = strings.Contains(text, `\`+hostNameKey+`\`)
	if at := strings.LastIndex(body, `\`+queryIDKey+`\`); at >= 0 && strings.Count(body[at:], `\`) == 2 {
		p.idAt, p.idEnd, ended = at, len(body), true
		p.last = last || strings.HasSuffix(body[:at], endMark)
	}
	return p, ok && isNumber && number >= 0 && number <= MaxPackets && ended
}

// hasFirst reports whether the first packet of the answer can be recognized.
func (a *Assembler) hasFirst() bool { return a.Options.Query == QueryStatus }

// Missing returns the numbers of the packets that are known to be missing, from 0, in
// ascending order. A missing last packet without a number gets the lowest possible number.
// Before the first call of Add, Missing returns nil.
func (a *Assembler) Missing() []int { return a.parts.missing(a.hasFirst()) }

// Status parses the joined answer. Packets that are not numbered are sorted by the index of
// their first player. Offsets in errors refer to the joined answer. While packets are
// missing, Status returns what the others contain, with [lobbywire.ErrTruncated]. It is
// Partial if no packet contains the key hostname or gamename.
func (a *Assembler) Status() (Status, error) {
	o := a.Options
	o.Part = true
	m, err := a.parts.join(a.hasFirst(), o.ParseStatus)
	m.Partial = m.Partial || a.hasFirst() && !a.parts.hasFirst()
	return m, err
}
