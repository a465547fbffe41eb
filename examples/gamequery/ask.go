package main

import (
	"context"
	"errors"
	"iter"
	"net/netip"
	"time"
)

// stagger is the time after which the next candidate is tried as well. RFC 8305
// recommends it for connections.
const stagger = 250 * time.Millisecond

// tryInTurn tries each candidate stagger after the previous one, or as soon as one
// fails. It returns the first success and its address. If all fail, the result and the
// error are those of the first candidate.
func tryInTurn[T any](ctx context.Context, candidates []netip.AddrPort, try func(ctx context.Context, at netip.AddrPort) (T, error)) (T, netip.AddrPort, error) {
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
			if started++; started < len(candidates) {
				later = time.After(stagger)
			}
		}
		select {
		case o := <-outcomes:
			if o.err == nil {
				return o.result, o.at, nil
			}
			if failed++; o.at == candidates[0] {
				first = o
			}
		case <-later:
		}
	}
	return first.result, first.at, first.err
}

// ask queries the server at a place, and returns its answer.
func (p protocol) ask(ctx context.Context, at place, a asking) (answer, error) {
	addresses, err := at.addresses(ctx)
	if err != nil {
		return answer{protocol: p.name, err: err}, err
	}
	candidates := p.ports.candidates(addresses, at.port)
	if len(candidates) == 0 {
		return answer{protocol: p.name, err: errNoPort}, errNoPort
	}
	got, query, err := tryInTurn(ctx, candidates, func(ctx context.Context, at netip.AddrPort) (answer, error) { return p.query(ctx, at, a) })
	got.protocol, got.query, got.err = p.name, query, err
	return got, err
}

// answers queries the targets of a feed and yields the answers, or the errors instead.
// A target without an answer is queried at its other port, if it has one, and if there
// is no answer either, the error is that of the first. A scan that ends early yields an
// answer with the error and without a query.
func (p protocol) answers(ctx context.Context, a asking, all *feed) iter.Seq[answer] {
	return func(yield func(answer) bool) {
		first := map[netip.AddrPort]answer{} // failures, by the other port
		for all.wait(ctx) {
			for r := range p.scanner(a).ScanViews(ctx, all.ready(ctx)) {
				got := answerOf(r, a)
				if other, ok := all.done(got.query, got.err == nil); ok {
					first[other] = got
					continue
				}
				earlier, isOther := first[got.query]
				delete(first, got.query)
				if isOther && got.err != nil {
					got = earlier
				}
				if !yield(got) {
					return
				}
			}
		}
	}
}

// errNoPort is the error for a place without a port if there is no usual one.
var errNoPort = errors.New("the port is missing: write HOST:PORT or [IPv6]:PORT")
