package main

import (
	"context"
	"iter"
	"net/netip"
	"sync/atomic"
	"time"
)

// A feed hands out targets while more are read.
type feed struct {
	wrong func(error) // is told, between targets, of what is none

	found chan found
	count atomic.Int64 // of addresses that were found
	whole atomic.Bool  // no more are to come
	rest  target       // what is not handed out of the last that was found
}

// found is a target, or why there is none.
type found struct {
	target
	err error
}

const (
	// readAhead is how many targets are read before they can be handed out.
	readAhead = 4096

	// soon is how long a scan waits for the next target. It has no time for
	// answers meanwhile.
	soon = 50 * time.Millisecond
)

// newFeed reads sources, one after the other, until the end or that of ctx.
func newFeed(ctx context.Context, sources ...targetSource) *feed {
	f := &feed{found: make(chan found, readAhead)}
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

// wait waits for a target. There is none at the end, and at that of ctx.
func (f *feed) wait(ctx context.Context) bool { return f.next(ctx, nil) }

// ready returns addresses for as long as the next is there soon: who has been
// asked is not to wait for somebody who types, or for a name that is looked up.
func (f *feed) ready(ctx context.Context) iter.Seq[netip.AddrPort] {
	return func(yield func(netip.AddrPort) bool) {
		for f.rest.count > 0 || f.next(ctx, time.After(soon)) {
			addr := netip.AddrPortFrom(f.rest.addr, f.rest.port)
			f.rest.port++
			f.rest.count--
			if !yield(addr) {
				return
			}
		}
	}
}

// next makes sure that there is a rest to hand out, if it can before late.
func (f *feed) next(ctx context.Context, late <-chan time.Time) bool {
	for f.rest.count == 0 {
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
