package gamespy2net

import (
	"hash/maphash"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

// challengeSlot is how long the challenge of an address stays the same.
const challengeSlot = 10 * time.Second

// A pendingTable keeps the heartbeats that were answered with a challenge until the
// answer arrives, because the answer has only the instance key. It has a fixed number of
// places, a few for each hash of an address. A new heartbeat replaces the oldest one
// there. So a flood from forged addresses may overwrite heartbeats. A server whose
// heartbeat was overwritten is listed after its next one.
type pendingTable struct {
	seed   maphash.Seed
	places [][pendingWays]pending // nil before the first heartbeat
}

// The number of places times the size of a heartbeat bounds the memory. By default the
// limits let 10 000 heartbeats a second pass, so a flood overwrites hardly any heartbeat
// within 100 ms, the time in which most servers answer a challenge. With one place for each
// hash, some of 200 servers that start at one moment would overwrite others.
const (
	pendingHashes = 1 << 10
	pendingWays   = 8
)

type pending struct {
	from      netip.AddrPort
	at        time.Time
	answers   int    // that were checked against it
	heartbeat []byte // its memory is reused
}

// place returns the place of an address: the one that it has, or else the one that was used
// first.
func (t *pendingTable) place(from netip.AddrPort) *pending {
	if t.places == nil {
		t.seed = maphash.MakeSeed()
		t.places = make([][pendingWays]pending, pendingHashes)
	}
	places := &t.places[maphash.Comparable(t.seed, from)%pendingHashes]
	first := &places[0]
	for i := range places {
		p := &places[i]
		if p.from == from {
			return p
		}
		if p.at.Before(first.at) {
			first = p
		}
	}
	return first
}

// put keeps a heartbeat.
func (t *pendingTable) put(from netip.AddrPort, heartbeat []byte, now time.Time) {
	p := t.place(from)
	p.from, p.at, p.answers = from, now, 0
	p.heartbeat = append(p.heartbeat[:0], heartbeat...)
}

// maxAnswers is the number of answers that are checked for a heartbeat, because a check
// takes time and only heartbeats are charged to the limits.
const maxAnswers = 4

// get returns a copy of the heartbeat of an address with an instance key, or nil if it has
// not been kept, its challenge is no longer valid, or too many answers were checked.
func (t *pendingTable) get(from netip.AddrPort, key [4]byte, now time.Time) []byte {
	p := t.place(from)
	if k, _ := qr2.PeekKey(p.heartbeat); p.from != from || k != key || now.Sub(p.at) > 2*challengeSlot {
		return nil
	}
	p.answers++
	if p.answers > maxAnswers {
		return nil
	}
	return slices.Clone(p.heartbeat)
}

// remove removes the heartbeat of an address.
func (t *pendingTable) remove(from netip.AddrPort) {
	if p := t.place(from); p.from == from {
		p.from, p.at = netip.AddrPort{}, time.Time{}
	}
}
