package scan

import "time"

// paceBurst is the time that a pace catches up after a late timer.
const paceBurst = 10 * time.Millisecond

// A pace limits the rate of requests. The zero pace does not.
type pace struct {
	interval time.Duration // between two requests
	next     time.Time     // when the next target may be launched
}

// newPace returns a pace of a number of requests a second, without a limit if rate is 0 or
// negative.
func newPace(rate int) pace {
	if rate <= 0 {
		return pace{}
	}
	return pace{interval: time.Second / time.Duration(rate)}
}

// allows reports whether the next target may be launched.
func (p *pace) allows(now time.Time) bool { return !p.next.After(now) }

// count counts a request. Repeats and second steps are not held up, but launches wait for
// them too.
func (p *pace) count(now time.Time) {
	if p.interval == 0 {
		return
	}
	if earliest := now.Add(-paceBurst); p.next.Before(earliest) {
		p.next = earliest
	}
	p.next = p.next.Add(p.interval)
}
