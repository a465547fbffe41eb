package gameagent

import (
	"cmp"
	"math"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// An Assembler joins the packets of one [Players], which may arrive in any order.
// Its zero value is ready to use. It holds up to [MaxPackets] packets and
// [MaxAnswer] bytes.
//
// Packets are not numbered, so the loss of a packet between the first and the
// last cannot be recognized. Such a packet may also arrive after the last:
// wait a while for it even when Add reports that the answer is done.
type Assembler struct {
	// Options apply to the packets and to the joined answer.
	Options Options

	parts []part
}

// A part is a packet of an answer.
type part struct {
	text        string
	first, last bool
	index       int // of the player that it starts with
}

// Add adds a packet. It reports whether the first and the last packet have
// arrived. b is not kept.
//
// Add ignores a packet that was added before. It refuses a second first or last
// packet, and a packet that starts with the same player as another, with
// [lobbywire.ErrInvalid]. On error, the state is unchanged.
func (a *Assembler) Add(b []byte) (done bool, err error) {
	o := a.Options
	o.Part = true
	m, err := o.ParsePlayers(b)
	if err == nil {
		err = a.add(part{string(b), !m.NotFirst, !m.NotLast, firstIndex(m.Players)})
	}
	return a.done(), err
}

func (a *Assembler) add(p part) error {
	size := len(p.text)
	for _, q := range a.parts {
		if q.text == p.text {
			return nil
		}
		if p.conflicts(q) || q.conflicts(p) {
			return &lobbywire.Error{Proto: proto, Err: wire.Invalid("is part of another answer")}
		}
		size += len(q.text)
	}
	if n := len(a.parts); n == MaxPackets {
		return &lobbywire.Error{Proto: proto, Field: "packets", Err: wire.Exceeded(n+1, MaxPackets)}
	}
	if size > MaxAnswer {
		return &lobbywire.Error{Proto: proto, Err: wire.Exceeded(size, MaxAnswer)}
	}
	a.parts = append(a.parts, p)
	return nil
}

// conflicts reports whether p and q cannot belong to one answer.
func (p part) conflicts(q part) bool {
	return p.first && (q.first || p.last) || p.last && q.last || p.index == q.index
}

// firstIndex returns the index of the player that a packet starts with.
func firstIndex(players []Player) int {
	if len(players) == 0 {
		return math.MaxInt // the packet is a header, an end mark, or both
	}
	return players[0].Index
}

func (a *Assembler) hasFirst() bool {
	return slices.ContainsFunc(a.parts, func(p part) bool { return p.first })
}

func (a *Assembler) hasLast() bool {
	return slices.ContainsFunc(a.parts, func(p part) bool { return p.last })
}

func (a *Assembler) done() bool { return a.hasFirst() && a.hasLast() }

// Missing returns the numbers of the packets that are known to be missing, from 0, in
// ascending order. Only the first and the last packet can be known to be missing: a missing
// last packet gets the lowest possible number. Before the first call of Add, Missing
// returns nil.
func (a *Assembler) Missing() (numbers []int) {
	next := len(a.parts)
	if next == 0 {
		return nil
	}
	if !a.hasFirst() {
		numbers = append(numbers, 0)
		next++
	}
	if !a.hasLast() {
		numbers = append(numbers, next)
	}
	return numbers
}

// Players parses the joined answer. Its players are in the order of the packets,
// which are sorted by the index of their first player. Offsets in errors refer to
// the joined answer. While packets are missing, Players returns what the others
// contain, with [lobbywire.ErrTruncated].
func (a *Assembler) Players() (m Players, err error) {
	missing := &lobbywire.Error{Proto: proto, Err: lobbywire.ErrTruncated}
	if len(a.parts) == 0 {
		return m, missing
	}
	slices.SortFunc(a.parts, func(p, q part) int {
		return cmp.Or(p.rank()-q.rank(), cmp.Compare(p.index, q.index))
	})
	var whole []byte
	for _, p := range a.parts {
		whole = append(whole, p.text...)
	}
	o := a.Options
	o.Part = true
	m, err = o.ParsePlayers(whole)
	if err == nil && !a.done() {
		err = missing
	}
	return m, err
}

// rank orders first, middle and last packets.
func (p part) rank() int {
	switch {
	case p.first:
		return 0
	case p.last:
		return 2
	}
	return 1
}
