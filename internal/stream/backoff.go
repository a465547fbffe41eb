package stream

import (
	"math/rand/v2"
	"time"
)

// A Backoff tells how long to wait before the next attempt: Min after the
// first failure, then twice as long each time, up to Max, each by up to half
// more or less, so that not all clients of a server come back at once.
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

// Reset says that an attempt has succeeded.
func (b *Backoff) Reset() { b.next = 0 }
