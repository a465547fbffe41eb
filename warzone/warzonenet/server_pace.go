package warzonenet

import "time"

// A connection may make a burst of requestsAtOnce requests, and then one every
// requestEvery. Hosts make a handful at first and then one every 7 seconds at most.
const (
	requestsAtOnce = 16
	requestEvery   = 200 * time.Millisecond
)

// A pace limits the rate of requests of a connection. The zero value is ready.
type pace struct{ due time.Time }

// wait waits until the next request may be answered. It reports false if ending is
// closed before.
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
