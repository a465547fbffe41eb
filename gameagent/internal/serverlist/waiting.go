package serverlist

import (
	"hash/maphash"
	"net/netip"
	"sync"
	"time"
)

// maxWaiting is the number of places for servers whose answer to a challenge is
// awaited. Of two servers with the same place, the later one gets it: in a flood of
// 10 000 forged heartbeats a second, which the default limits allow, a server keeps
// its place for 0.2 s on average.
const maxWaiting = 2048

// waitFor is the time to wait for an answer to a challenge.
const waitFor = 10 * time.Second

// A waitList contains the servers that have sent a heartbeat and are not listed, in a fixed
// amount of memory.
type waitList struct {
	mu     sync.Mutex
	seed   maphash.Seed
	places []awaited // by a hash of the address that the heartbeat came from
}

type awaited struct {
	check     Check
	until     time.Time
	began     bool // the check has begun
	validated bool // the right answer to the challenge has arrived
	stops     bool // the state of the server has changed since
}

// placeLocked returns the place for an address.
func (w *waitList) placeLocked(from netip.AddrPort) *awaited {
	if w.places == nil {
		w.seed = maphash.MakeSeed()
		w.places = make([]awaited, maxWaiting)
	}
	return &w.places[maphash.Comparable(w.seed, from)%maxWaiting]
}

// findLocked returns the server that has sent a heartbeat from an address, or nil if
// no answer is awaited from it.
func (w *waitList) findLocked(from netip.AddrPort) *awaited {
	if a := w.placeLocked(from); a.check.From == from {
		return a
	}
	return nil
}

// add adds a server. If the server is there already, ok is false.
func (w *waitList) add(c Check, now time.Time) (ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.placeLocked(c.From)
	if a.check.From == c.From && a.check.Query == c.Query && now.Before(a.until) {
		return false
	}
	*a = awaited{check: c, until: now.Add(waitFor)}
	return true
}

// stop records that the state of a server has changed. If the check of the server has
// ended, ok is false.
func (w *waitList) stop(c Check, now time.Time) (ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.findLocked(c.From)
	if a == nil || a.check.Query != c.Query || !now.Before(a.until) {
		return false
	}
	a.stops = true
	return true
}

// forget frees the place of the server that has sent a heartbeat from an address. Only a
// server that was listed since may be forgotten, so that forged heartbeats do not cause
// constant queries.
func (w *waitList) forget(from netip.AddrPort) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.findLocked(from); a != nil {
		*a = awaited{}
	}
}

// isStopping reports whether the state of a server has changed since its heartbeat.
func (w *waitList) isStopping(from netip.AddrPort) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.findLocked(from)
	return a != nil && a.stops
}

// validate records the answer to the challenge of the server that has sent a heartbeat
// from an address, if it is awaited and isRight reports that it is right. It reports
// whether the check must run now: not if it has begun and does not need the answer.
func (w *waitList) validate(from netip.AddrPort, now time.Time, isRight func(Check) bool) (c Check, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.findLocked(from)
	if a == nil || !now.Before(a.until) || a.validated || !isRight(a.check) {
		return Check{}, false
	}
	a.validated = true
	return a.check, !a.began || a.check.Game.MustValidate()
}

// begin begins the check of a server. If the check has begun before and does not need
// the answer that has arrived since, ok is false.
func (w *waitList) begin(c Check) (ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.findLocked(c.From)
	if a == nil || a.check.Query != c.Query {
		return true
	}
	before := a.began
	a.began = true
	return !before || a.validated && c.Game.MustValidate()
}

// isValidated reports whether the right answer has arrived from a server.
func (w *waitList) isValidated(from netip.AddrPort) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.findLocked(from)
	return a != nil && a.validated
}
