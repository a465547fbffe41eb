package warzonenet

import "time"

// A connection may make so many requests at once, and one every requestEvery.
// Hosts make a handful at first and then one every 7 seconds at most.
const (
	requestsAtOnce = 16
	requestEvery   = 200 * time.Millisecond
)

// A pace holds up who makes more requests than that. Its zero value is at the
// start.
type pace struct{ due time.Time }

// wait returns when the next request may be answered. It is not ok if ending is
// closed before: who has asked for more than that waits no longer then, and nobody
// for him.
func (p *pace) wait(ending <-chan struct{}) (ok bool) {
	now := time.Now()
	if earliest := now.Add(-requestsAtOnce * requestEvery); p.due.Before(earliest) {
		p.due = earliest
	}
	p.due = p.due.Add(requestEvery)
	if !p.due.After(now) {
		return true
	}
	t := time.NewTimer(p.due.Sub(now))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ending:
		return false
	}
}
