package targets

import (
	"context"
	"net/netip"
	"time"
)

// stagger is the time after which the next candidate is tried as well. RFC 8305
// recommends it for connections.
const stagger = 250 * time.Millisecond

// TryInTurn tries each candidate stagger after the previous one, or as soon as one
// fails. It returns the first success and its address. If all fail, the result and the
// error belong to the first candidate.
func TryInTurn[T any](ctx context.Context, candidates []netip.AddrPort,
	try func(ctx context.Context, at netip.AddrPort) (T, error)) (T, netip.AddrPort, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type outcome struct {
		result T
		at     netip.AddrPort
		err    error
	}
	outcomes := make(chan outcome, len(candidates))
	var first outcome
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
			if o.at == candidates[0] {
				first = o
			}
		case <-later:
		}
	}
	return first.result, first.at, first.err
}
