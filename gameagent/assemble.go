package gameagent

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
)

// An Assembler joins the packets of one [Players], in whatever order they
// arrive. Its zero value is ready. It holds at most [MaxPackets] packets and
// [MaxAnswer] bytes.
//
// Packets are not numbered. If one from the middle is lost nothing tells, and it
// may come after the last: so wait a while even when Add says that the answer
// is done.
type Assembler struct {
	// Options are for the packets and for the joined answer.
	Options Options

	parts parts
}

// Add takes a packet and tells whether the first and the last have come. b is
// not kept.
//
// A packet that was added before is ignored. A second first or last packet, or
// one that begins with the same player as another, is refused with
// [lobbywire.ErrInvalid] and changes nothing.
func (a *Assembler) Add(b []byte) (done bool, err error) {
	m, err := a.Options.ParsePlayersPacket(b)
	if err == nil {
		err = a.parts.add(part{string(b), m.First, m.Last, firstIndex(m.Players)})
	}
	return a.done(), err
}

func (a *Assembler) done() bool {
	first, last := a.Missing()
	return !first && !last
}

// Missing tells which of the first and the last packet have not come.
func (a *Assembler) Missing() (first, last bool) { return a.parts.missing() }

// Players parses the joined answer; its players are in the order of the packets,
// those by the index that they begin with. Offsets in errors are those of the
// joined answer. While the first or the last packet is missing the error is
// [lobbywire.ErrTruncated].
func (a *Assembler) Players() (Players, error) {
	if !a.done() {
		return Players{}, errIncomplete()
	}
	return a.Options.ParsePlayers(a.parts.join())
}

// Reset makes the Assembler ready for another answer.
func (a *Assembler) Reset() { *a = Assembler{Options: a.Options} }

// A part is a packet of an answer.
type part struct {
	text        string
	first, last bool
	index       int // of the player that it begins with
}

// parts are the packets of one answer.
type parts []part

// firstIndex returns the index of the player that a packet begins with.
func firstIndex(players []Player) int {
	if len(players) == 0 {
		return math.MaxInt // such a packet holds nothing or the end
	}
	return players[0].Index
}

func (ps *parts) add(p part) error {
	size := len(p.text)
	for _, q := range *ps {
		if q.text == p.text {
			return nil
		}
		if p.conflicts(q) || q.conflicts(p) {
			return &lobbywire.Error{Proto: proto, Err: lobbywire.ErrInvalid}
		}
		size += len(q.text)
	}
	if len(*ps) == MaxPackets || size > MaxAnswer {
		return &lobbywire.Error{Proto: proto, Err: lobbywire.ErrTooLarge}
	}
	*ps = append(*ps, p)
	return nil
}

// conflicts tells whether p and q cannot be of one answer.
func (p part) conflicts(q part) bool {
	return p.first && (q.first || p.last) || p.last && q.last || p.index == q.index
}

// missing tells which of the first and the last are missing.
func (ps parts) missing() (first, last bool) {
	first, last = true, true
	for _, p := range ps {
		first = first && !p.first
		last = last && !p.last
	}
	return first, last
}

// join returns the answer as one packet: packets are cuts of it.
func (ps parts) join() []byte {
	sorted := slices.SortedFunc(slices.Values(ps), func(p, q part) int {
		return cmp.Or(rank(p)-rank(q), cmp.Compare(p.index, q.index))
	})
	var s strings.Builder
	for _, p := range sorted {
		s.WriteString(p.text)
	}
	return []byte(s.String())
}

// rank orders first, middle and last packets.
func rank(p part) int {
	switch {
	case p.first:
		return 0
	case p.last:
		return 2
	}
	return 1
}

func errIncomplete() error {
	return &lobbywire.Error{Proto: proto, Err: lobbywire.ErrTruncated}
}
