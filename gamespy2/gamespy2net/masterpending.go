package gamespy2net

import (
	"hash/maphash"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

// A pendingTable keeps the heartbeats that were answered with a challenge until the
// answer arrives, because the answer has only the instance key. It has a fixed number of
// places, one for each hash of an address, so a flood from forged addresses may overwrite
// heartbeats. A server whose heartbeat was overwritten is listed after its next one.
type pendingTable struct {
	seed   maphash.Seed
	places []pending // nil before the first heartbeat
}

// pendingPlaces times the size of a heartbeat bounds the memory. By default the
// limits let 10 000 heartbeats a second pass, so a flood overwrites one heartbeat
// in eight within 100 ms, the time in which most servers answer a challenge.
const pendingPlaces = 1 << 13

type pending struct {
	from      netip.AddrPort
	at        time.Time
	heartbeat []byte // its memory is reused
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

// get returns a copy of the heartbeat of an address with an instance key, or nil if it has
// not been kept or its challenge is no longer valid.
func (t *pendingTable) get(from netip.AddrPort, key [4]byte, now time.Time) []byte {
	p := t.place(from)
	if k, _ := qr2.PeekKey(p.heartbeat); p.from != from || k != key || now.Sub(p.at) > 2*challengeSlot {
		return nil
	}
	return slices.Clone(p.heartbeat)
}

// remove removes the heartbeat of an address.
func (t *pendingTable) remove(from netip.AddrPort) { t.place(from).from = netip.AddrPort{} }
