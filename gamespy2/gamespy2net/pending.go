package gamespy2net

import (
	"hash/maphash"
	"net/netip"
	"slices"
	"time"
)

// challengeSlot is the time for which the challenge of an address stays the same.
const challengeSlot = 10 * time.Second

// A pendingTable holds the servers that have yet to answer a challenge or a check. With a
// challenge it keeps the heartbeat, because the answer contains only the instance key. The
// table has a fixed number of places, a few for each hash of an address, where a new server
// replaces the oldest one. A flood from forged addresses may therefore overwrite servers,
// which are then listed after their next heartbeat.
type pendingTable struct {
	repeat func() // called in a goroutine of its own when repetitions are due

	seed    maphash.Seed
	places  [][pendingWays]pending // nil before the first server
	timer   *time.Timer            // of repeat
	next    time.Time              // when it expires, or zero
	last    time.Time              // when it last expired
	sockets int                    // without any, nothing can be repeated
}

// The number of places times the size of a heartbeat bounds the memory. The default limits
// admit 10 000 heartbeats a second, so a flood overwrites hardly any heartbeat within 100
// ms, the time in which most servers answer a challenge. With one place for each hash, some
// of 200 servers that start at the same moment would overwrite others.
const (
	pendingHashes = 1 << 10
	pendingWays   = 8
)

type pending struct {
	from      netip.AddrPort
	local     netip.Addr // where the server sends to; not valid if unknown
	key       [4]byte    // the instance key
	awaits    awaited
	at        time.Time
	answers   int       // that were checked against the heartbeat
	heartbeat []byte    // with a challenge; its memory is reused, as that of challenge
	challenge []byte    // the datagram
	repeated  int       // number of repetitions of the datagram that the server has to answer
	due       time.Time // time of the next repetition, or zero
}

// An awaited is the kind of answer that the Master waits for.
type awaited int

const (
	awaitsNothing awaited = iota
	awaitsProof           // the answer to a challenge
	awaitsAnswer          // an answer to the check of a new server
	awaitsLife            // an answer of a listed server that has probably moved to another port
)

// place returns the place of an address: its own, or else the oldest.
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

// find returns the server at an address, or nil if the Master waits for nothing from it.
func (t *pendingTable) find(from netip.AddrPort) *pending {
	if p := t.place(from); p.from == from {
		return p
	}
	return nil
}

// await waits for an answer from the sender of a packet, in place of an earlier one.
func (t *pendingTable) await(what awaited, from *packet, key [4]byte) *pending {
	p := t.place(from.from)
	p.from, p.local, p.key, p.awaits, p.at = from.from, from.local, key, what, from.now
	p.answers, p.repeated, p.due = 0, 0, from.now.Add(repeatAfter[0])
	t.wake(p.due, from.now)
	return p
}

// isChecked reports whether a challenge or a check of a server is still repeated.
func (t *pendingTable) isChecked(from netip.AddrPort) bool {
	p := t.find(from)
	return p != nil && !p.due.IsZero()
}

// repeatAfter are the times of repetitions after the first datagram.
var repeatAfter = [...]time.Duration{time.Second, 2 * time.Second, 4 * time.Second}

// Limits on the work for repetitions in a flood: a call of repeat examines all places.
const (
	repeatEvery = 100 * time.Millisecond // minimum
	maxRepeats  = 512                    // in one call
)

// wake makes the timer call repeat at a time or earlier.
func (t *pendingTable) wake(at, now time.Time) {
	if soonest := t.last.Add(repeatEvery); at.Before(soonest) {
		at = soonest
	}
	if t.sockets == 0 || !t.next.IsZero() && !at.Before(t.next) {
		return
	}
	t.next = at
	if t.timer == nil {
		t.timer = time.AfterFunc(at.Sub(now), t.repeat)
	} else {
		t.timer.Reset(at.Sub(now))
	}
}

// due calls do for servers whose repetition is due.
func (t *pendingTable) due(now time.Time, do func(p *pending)) {
	t.last, t.next = now, time.Time{}
	var next time.Time
	n := 0
	for i := range t.places {
		for j := range t.places[i] {
			p := &t.places[i][j]
			if n < maxRepeats && !p.due.IsZero() && !now.Before(p.due) {
				n++
				p.repeated++
				p.due = time.Time{}
				if p.repeated < len(repeatAfter) {
					p.due = p.at.Add(repeatAfter[p.repeated])
				}
				do(p)
			}
			if !p.due.IsZero() && (next.IsZero() || p.due.Before(next)) {
				next = p.due
			}
		}
	}
	if !next.IsZero() {
		t.wake(next, now)
	}
}

// put keeps a heartbeat and the challenge that answers it.
func (t *pendingTable) put(heartbeat *packet, key [4]byte, challenge []byte) {
	p := t.await(awaitsProof, heartbeat, key)
	p.heartbeat = append(p.heartbeat[:0], heartbeat.b...)
	p.challenge = append(p.challenge[:0], challenge...)
}

// maxAnswers is the number of answers that are checked for a heartbeat, because a check
// takes time and only heartbeats are charged to the limits.
const maxAnswers = 4

// get returns a copy of the heartbeat of an address with an instance key, or nil if it has
// not been kept, its challenge is no longer valid, or too many answers were checked.
func (t *pendingTable) get(from netip.AddrPort, key [4]byte, now time.Time) []byte {
	p := t.find(from)
	if p == nil || p.awaits != awaitsProof || p.key != key || now.Sub(p.at) > 2*challengeSlot {
		return nil
	}
	p.answers++
	if p.answers > maxAnswers {
		return nil
	}
	return slices.Clone(p.heartbeat)
}

// answered ends the wait for an answer to a check.
func (t *pendingTable) answered(from netip.AddrPort) {
	if p := t.find(from); p != nil && p.awaits != awaitsProof {
		t.remove(p)
	}
}

// forget ends the wait for a server with an instance key.
func (t *pendingTable) forget(from netip.AddrPort, key [4]byte) {
	if p := t.find(from); p != nil && p.key == key {
		t.remove(p)
	}
}

// remove ends the wait for a server.
func (t *pendingTable) remove(p *pending) {
	p.from, p.awaits, p.at, p.due = netip.AddrPort{}, awaitsNothing, time.Time{}, time.Time{}
}

// addSockets changes the number of sockets.
func (t *pendingTable) addSockets(n int) {
	t.sockets += n
	if t.sockets == 0 && t.timer != nil {
		t.timer.Stop()
		t.next = time.Time{}
	}
}
