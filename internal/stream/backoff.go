package stream

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// A Backoff computes the time to wait before the next attempt: Min after the first
// failure, then twice as long each time, up to Max. Each varies at random by up to
// half, so that the clients of a server do not all reconnect at once.
type Backoff struct {
	Min, Max time.Duration
	Steady   time.Duration // after which Keep counts an attempt as a success, even if it fails
	next     time.Duration
}

// ErrAgain is the error of an attempt that has not failed, but must be repeated at once.
var ErrAgain = errors.New("to be attempted again")

// Keep calls attempt repeatedly until ctx is done, and returns the cause of ctx. After
// each failure it calls failed with the error and the time to the next attempt; after a
// success the next attempt starts at once.
func (b Backoff) Keep(ctx context.Context, attempt func(ctx context.Context) error,
	failed func(err error, pause time.Duration)) error {
	for ctx.Err() == nil {
		began := time.Now()
		err := attempt(ctx)
		if err == nil {
			b.next = 0
		}
		if err == nil || err == ErrAgain || ctx.Err() != nil {
			continue
		}
		if time.Since(began) >= b.Steady {
			b.next = 0
		}
		pause := b.pause()
		failed(err, pause)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
	return context.Cause(ctx)
}

// pause returns how long to wait after a failure.
func (b *Backoff) pause() time.Duration {
	d := max(b.next, b.Min)
	b.next = min(2*d, b.Max)
	return d/2 + rand.N(d)
}
