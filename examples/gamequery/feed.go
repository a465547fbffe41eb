package main

import (
	"context"
	"iter"
	"net/netip"
	"sync/atomic"
	"time"
)

// A feed yields targets while more are read.
type feed struct {
	wrong func(error) // called between targets with the errors of invalid ones

	found chan found
	count atomic.Int64 // number of addresses found
	whole atomic.Bool  // the end has been reached
	rest  target       // the part of the last target that has not been yielded

	others map[netip.AddrPort]uint16 // other ports of addresses that were yielded
	again  []target                  // other ports that come next
}

// found is a target or an error.
type found struct {
	target
	err error
}

const (
	// readAhead limits the targets that are read before they are used.
	readAhead = 4096

	// soon is how long a scan waits for the next target. It cannot read answers
	// meanwhile.
	soon = 50 * time.Millisecond
)

// newFeed reads sources in order until the end, or until ctx is done.
func newFeed(ctx context.Context, sources ...targetSource) *feed {
	f := &feed{found: make(chan found, readAhead), others: map[netip.AddrPort]uint16{}}
	go f.read(ctx, sources)
	return f
}

func (f *feed) read(ctx context.Context, sources []targetSource) {
	defer close(f.found)
	defer f.whole.Store(true)
	for _, source := range sources {
		for t, err := range source {
			if ctx.Err() != nil {
				return
			}
			f.count.Add(int64(t.count))
			select {
			case f.found <- found{t, err}:
			case <-ctx.Done():
			}
		}
	}
}

// wait waits for a target. It reports false at the end or if ctx is done.
func (f *feed) wait(ctx context.Context) bool { return f.next(ctx, nil) }

// ready yields addresses while targets arrive quickly. Servers that were queried must
// not wait for a slow list or for looking up a name.
func (f *feed) ready(ctx context.Context) iter.Seq[netip.AddrPort] {
	return func(yield func(netip.AddrPort) bool) {
		for f.rest.count > 0 || f.next(ctx, time.After(soon)) {
			addr := netip.AddrPortFrom(f.rest.addr, f.rest.port)
			if f.rest.other != 0 {
				f.others[addr] = f.rest.other
			}
			f.rest.port++
			f.rest.count--
			if !yield(addr) {
				return
			}
		}
	}
}

// done forgets an address that was queried. If there was no answer and its target has
// another port, that comes next, and done returns its address.
func (f *feed) done(at netip.AddrPort, answered bool) (other netip.AddrPort, ok bool) {
	port, ok := f.others[at]
	delete(f.others, at)
	if !ok || answered {
		return netip.AddrPort{}, false
	}
	f.again = append(f.again, target{addr: at.Addr(), port: port, count: 1})
	return netip.AddrPortFrom(at.Addr(), port), true
}

// next makes sure that rest is not empty, if possible before late.
func (f *feed) next(ctx context.Context, late <-chan time.Time) bool {
	for f.rest.count == 0 {
		if len(f.again) > 0 {
			f.rest, f.again = f.again[0], f.again[1:]
			return true
		}
		select {
		case t, ok := <-f.found:
			if !ok {
				return false
			}
			if t.err != nil {
				f.wrong(t.err)
			}
			f.rest = t.target
		case <-late:
			return false
		case <-ctx.Done():
			return false
		}
	}
	return true
}
