package targets

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
)

// stagger is the time after which the next candidate is tried as well. RFC 8305
// recommends it for connections.
const stagger = 250 * time.Millisecond

// TryInTurn tries each candidate stagger after the previous one, or as soon as one fails. It
// returns the first success and its address. If all fail, the result and the error belong to
// the candidate whose error says most, see [SaysMore], or else to the first one.
func TryInTurn[T any](ctx context.Context, candidates []netip.AddrPort,
	try func(ctx context.Context, at netip.AddrPort) (T, error)) (T, netip.AddrPort, error) {
	if len(candidates) == 0 {
		return *new(T), netip.AddrPort{}, ErrNoPort
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type outcome struct {
		result T
		at     netip.AddrPort
		err    error
	}
	outcomes := make(chan outcome, len(candidates))
	var failure outcome
	for started, failed := 0, 0; failed < len(candidates); {
		var later <-chan time.Time
		if started < len(candidates) {
			at := candidates[started]
			go func() {
				result, err := try(ctx, at)
				outcomes <- outcome{result, at, err}
			}()
			started++
			if started < len(candidates) {
				later = time.After(stagger)
			}
		}
		select {
		case o := <-outcomes:
			if o.err == nil {
				return o.result, o.at, nil
			}
			failed++
			if o.at == candidates[0] && failure.err == nil || SaysMore(o.err, failure.err) {
				failure = o
			}
		case <-later:
		}
	}
	return failure.result, failure.at, failure.err
}

// SaysMore reports whether err says more about a server than the error at another of its
// ports: its challenge was answered there, or an unreadable answer has arrived.
func SaysMore(err, other error) bool {
	for _, kind := range []error{lobbywire.ErrChallengeOnly, lobbywire.ErrUnreadable} {
		if is, was := errors.Is(err, kind), errors.Is(other, kind); is || was {
			return is && !was
		}
	}
	return false
}
