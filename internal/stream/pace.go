package stream

import "time"

// A Pace limits the rate of the messages of a connection: Burst at once, and then one
// every Every.
type Pace struct {
	Burst int
	Every time.Duration

	due time.Time
}

// Wait waits until the next message may be handled. It reports false if ending is
// closed first.
func (p *Pace) Wait(ending <-chan struct{}) (ok bool) {
	now := time.Now()
	if earliest := now.Add(-time.Duration(p.Burst) * p.Every); p.due.Before(earliest) {
		p.due = earliest
	}
	p.due = p.due.Add(p.Every)
	if !p.due.After(now) {
		return true
	}
	select {
	case <-time.After(p.due.Sub(now)):
		return true
	case <-ending:
		return false
	}
}
