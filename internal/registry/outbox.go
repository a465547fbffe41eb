package registry

import "time"

// An Outbox limits how often the entries of a list are passed to a Store: each at most
// once every Every, and all of them together at most PerSecond times a second. An
// entry that has to wait is passed on later, once for all its changes in between.
// Entries that have waited longest come first. While some wait, others that are due at
// once, such as new ones, have half of each second. An Outbox is not safe for concurrent
// use.
type Outbox[E comparable] struct {
	Every     time.Duration
	PerSecond int

	second  time.Time // when the current second began
	passed  int       // in the current second
	waiting []E
	waits   map[E]struct{}
	isLater bool // a call is scheduled, and Due has not been called since
}

// Offer reports whether an entry that was last passed on at last may be passed on now.
// Otherwise it waits.
func (o *Outbox[E]) Offer(e E, last, now time.Time) bool {
	if o.Waits(e) {
		return false
	}
	limit := o.PerSecond
	if len(o.waiting) > 0 {
		limit /= 2
	}
	if o.isDue(last, now) && o.take(now, limit) {
		return true
	}
	if o.waits == nil {
		o.waits = make(map[E]struct{})
	}
	o.waits[e] = struct{}{}
	o.waiting = append(o.waiting, e)
	return false
}

// Waits reports whether an entry waits.
func (o *Outbox[E]) Waits(e E) bool {
	_, waits := o.waits[e]
	return waits
}

func (o *Outbox[E]) isDue(last, now time.Time) bool {
	return last.IsZero() || now.Sub(last) >= o.Every
}

// take reports whether another entry may be passed on in this second, if limit may be.
func (o *Outbox[E]) take(now time.Time, limit int) bool {
	if o.second.IsZero() || now.Sub(o.second) >= time.Second {
		o.second, o.passed = now, 0
	}
	if o.passed >= limit {
		return false
	}
	o.passed++
	return true
}

// Later schedules a call of send after Every if entries wait, unless one is scheduled
// already. The function send passes on the entries that are Due, and calls Later again.
func (o *Outbox[E]) Later(send func()) {
	if len(o.waiting) > 0 && !o.isLater {
		o.isLater = true
		time.AfterFunc(o.Every, send)
	}
}

// Due returns the waiting entries that may be passed on now. state returns when an
// entry was last passed on. If ok is false, the entry is no longer listed, and is
// forgotten.
func (o *Outbox[E]) Due(now time.Time, state func(e E) (last time.Time, ok bool)) (due []E) {
	o.isLater = false
	rest := o.waiting[:0]
	for _, e := range o.waiting {
		last, ok := state(e)
		switch {
		case ok && !(o.isDue(last, now) && o.take(now, o.PerSecond)):
			rest = append(rest, e)
			continue
		case ok:
			due = append(due, e)
		}
		delete(o.waits, e)
	}
	clear(o.waiting[len(rest):])
	o.waiting = rest
	return due
}

// Drain returns all waiting entries, which then wait no longer.
func (o *Outbox[E]) Drain() []E {
	all := o.waiting
	o.waiting, o.waits = nil, nil
	return all
}
