package stream

import (
	"math/rand/v2"
	"time"
)

// A Backoff computes the time to wait before the next attempt: Min after the first
// failure, then twice as long each time, up to Max. It varies each by up to half at
// random, so that the clients of a server do not all reconnect at once.
type Backoff struct {
	Min, Max time.Duration
	next     time.Duration
}

// Next returns how long to wait after a failure.
func (b *Backoff) Next() time.Duration {
	d := max(b.next, b.Min)
	b.next = min(2*d, b.Max)
	return d/2 + rand.N(d)
}

// Reset starts over after a success.
func (b *Backoff) Reset() { b.next = 0 }
