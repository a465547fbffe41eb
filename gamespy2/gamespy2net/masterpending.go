package gamespy2net

import (
	"hash/maphash"
	"net/netip"
	"time"
)

// A pendingTable keeps the heartbeats that were answered with a challenge, until the
// answer arrives: that has only the key. It has a fixed number of places. An address
// has one place, which it shares with others, so a flood from forged addresses may
// overwrite heartbeats. Such a server is listed after its next heartbeat.
type pendingTable struct {
	seed   maphash.Seed
	places []pending // nil before the first heartbeat
}

// pendingPlaces times the size of a heartbeat bounds the memory: 11 MiB. The usual
// flood that Limits let pass is 10 000 heartbeats a second, so it overwrites one in
// eight heartbeats within 100 ms, in which most servers answer a challenge.
const pendingPlaces = 1 << 13

// pendingFor is how long a heartbeat waits for the answer to its challenge, which is
// valid no longer.
const pendingFor = 2 * challengeSlot

type pending struct {
	from      netip.AddrPort
	at        time.Time
	heartbeat []byte // keeps its memory
}

// place returns the place of an address.
func (t *pendingTable) place(from netip.AddrPort) *pending {
	if t.places == nil {
		t.seed = maphash.MakeSeed()
		t.places = make([]pending, pendingPlaces)
	}
	return &t.places[maphash.Comparable(t.seed, from)%pendingPlaces]
}

// put keeps a heartbeat.
func (t *pendingTable) put(from netip.AddrPort, heartbeat []byte, now time.Time) {
	p := t.place(from)
	p.from, p.at = from, now
	p.heartbeat = append(p.heartbeat[:0], heartbeat...)
}

// get returns the heartbeat of an address, nil if there is none. It is valid until
// the next put.
func (t *pendingTable) get(from netip.AddrPort, now time.Time) []byte {
	p := t.place(from)
	if p.from != from || now.Sub(p.at) > pendingFor {
		return nil
	}
	return p.heartbeat
}

// remove forgets the heartbeat of an address.
func (t *pendingTable) remove(from netip.AddrPort) {
	if p := t.place(from); p.from == from {
		p.from = netip.AddrPort{}
	}
}
