package gamespy1

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A part is a packet of an answer.
type part struct {
	text        string
	first, last bool
	index       int // of the player that it starts with

	id          string // of the answer, if the packet is numbered
	number      int    // from 0 or 1, or unnumbered
	plain       bool   // number is the whole query ID; not a number if other packets have the same one
	idAt, idEnd int    // offsets of the query ID in text; equal if there is none
	splitsPairs bool   // the last key may have its value in the next packet

	// A marked packet is numbered and contains the end mark, as all packets of its answer
	// may. It lists players up to an index, and the first packet counts them.
	marked          bool
	listed, counted int
}

// unnumbered is the number of a packet without one.
const unnumbered = -1

// parts are the packets of one answer.
type parts []part

// firstIndex returns the index of the player that a packet starts with.
func firstIndex(players []Player) int {
	if len(players) == 0 {
		return math.MaxInt // the packet is a header, an end mark, or both
	}
	return players[0].Index
}

func (ps *parts) add(p part) error {
	size := len(p.text)
	for _, q := range *ps {
		if q.text == p.text && q.number == p.number {
			return nil
		}
		if p.conflicts(q) || q.conflicts(p) {
			return &lobbywire.Error{Proto: proto, Err: wire.Invalid("is part of another answer")}
		}
		size += len(q.text)
	}
	if n := len(*ps); n == MaxPackets {
		return &lobbywire.Error{Proto: proto, Field: "packets", Err: wire.Exceeded(n+1, MaxPackets)}
	}
	if size > MaxAnswer {
		return &lobbywire.Error{Proto: proto, Err: wire.Exceeded(size, MaxAnswer)}
	}
	*ps = append(*ps, p)
	return nil
}

// conflicts reports whether p and q cannot belong to one answer.
func (p part) conflicts(q part) bool {
	if p.number != unnumbered && q.number != unnumbered && !(p.plain && q.plain && p.number == q.number) {
		return p.id != q.id || p.number == q.number || p.last && p.number < q.number && !(p.marked && q.marked)
	}
	return p.first && (q.first || p.last) || p.last && q.last || p.index == q.index
}

// hasFirst reports whether the first packet has arrived.
func (ps parts) hasFirst() bool { return slices.ContainsFunc(ps, func(p part) bool { return p.first }) }

// done reports whether no packet is known to be missing.
func (ps parts) done(hasFirst bool) bool { return len(ps) > 0 && ps.missing(hasFirst) == nil }

// isNumbered reports whether all packets have a number of their own.
func (ps parts) isNumbered() bool {
	for i, p := range ps {
		if p.number == unnumbered || slices.ContainsFunc(ps[:i], func(q part) bool { return q.number == p.number }) {
			return false
		}
	}
	return true
}

// base returns the number of the first packet. Most games count from 1. Others count from
// 0, which shows if hasFirst is set and packet 1 has arrived without being the first one.
func (ps parts) base(hasFirst bool) int {
	first := !hasFirst || ps.hasFirst()
	if slices.ContainsFunc(ps, func(p part) bool { return p.number == 0 || p.number == 1 && !first }) {
		return 0
	}
	return 1
}

// arrived returns which packets have arrived, by number less base, up to the last one. The
// packets must be numbered.
func (ps parts) arrived(base int) (arrived []bool) {
	for _, p := range ps {
		i := p.number - base
		if i >= len(arrived) {
			arrived = append(arrived, make([]bool, i+1-len(arrived))...)
		}
		arrived[i] = true
	}
	return arrived
}

// missing returns the numbers of the packets that are known to be missing. If
// hasFirst is set, the first packet of the answer can be recognized.
func (ps parts) missing(hasFirst bool) (numbers []int) {
	if len(ps) == 0 || len(ps) == 1 && ps[0].plain && ps[0].first && ps[0].last {
		return nil // its number is probably that of the query
	}
	next := len(ps)
	if ps.isNumbered() {
		arrived := ps.arrived(ps.base(hasFirst))
		next = len(arrived)
		for i, ok := range arrived {
			if !ok {
				numbers = append(numbers, i)
			}
		}
	} else if hasFirst && !ps.hasFirst() {
		numbers = append(numbers, 0)
		next++
	}
	if !ps.ended() {
		numbers = append(numbers, next)
	}
	return numbers
}

// ended reports whether the last packet has arrived. If all packets contain the end mark,
// the last one contains the last of the players that the first packet counts.
func (ps parts) ended() bool {
	ended, marked := false, true
	listed, counted := 0, 0
	for _, p := range ps {
		ended = ended || p.last
		marked = marked && p.marked
		listed, counted = max(listed, p.listed), max(counted, p.counted)
	}
	return ended && (!marked || listed >= counted)
}

// join parses the answer as one packet. It sorts the parts.
func (ps parts) join(hasFirst bool, parse func(b []byte) (Status, error)) (m Status, err error) {
	missing := &lobbywire.Error{Proto: proto, Err: lobbywire.ErrTruncated}
	if len(ps) == 0 {
		return m, missing
	}
	numbered := ps.isNumbered()
	slices.SortFunc(ps, func(p, q part) int {
		if numbered {
			return p.number - q.number
		}
		return cmp.Or(p.rank()-q.rank(), cmp.Compare(p.index, q.index))
	})
	var whole []byte
	queryID := "" // the first one
	for i, p := range ps {
		if p.splitsPairs && i > 0 && p.number > ps[i-1].number+1 && bytes.Count(whole, []byte{slash})%2 != 0 {
			whole = append(whole, slash) // the value of the last key is missing
		}
		queryID = cmp.Or(queryID, p.text[p.idAt:p.idEnd])
		whole = append(whole, p.text[:p.idAt]...)
		whole = append(whole, p.text[p.idEnd:]...)
	}
	m, err = parse(append(whole, queryID...))
	if err == nil && !ps.done(hasFirst) {
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
