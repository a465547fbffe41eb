package targets

import (
	"context"
	"iter"
	"net/netip"
	"sync/atomic"
	"time"
)

// A Feed yields targets while more are read.
type Feed struct {
	Wrong func(error) // called between targets with the errors of invalid ones

	found chan found
	Count atomic.Int64 // number of addresses found
	Whole atomic.Bool  // the end has been reached
	rest  Target       // the part of the last target that has not been yielded

	others map[netip.AddrPort]uint16 // other ports of addresses that were yielded
	again  []Target                  // other ports that come next
}

// found is a target or an error.
type found struct {
	Target
	err error
}

const (
	// readAhead limits the targets that are read before they are used.
	readAhead = 4096

	// soon is how long a scan waits for the next target. It cannot read answers
	// meanwhile.
	soon = 50 * time.Millisecond
)

// NewFeed reads sources in order until the end, or until ctx is done.
func NewFeed(ctx context.Context, sources ...Source) *Feed {
	f := &Feed{found: make(chan found, readAhead), others: map[netip.AddrPort]uint16{}}
	go f.read(ctx, sources)
	return f
}

func (f *Feed) read(ctx context.Context, sources []Source) {
	defer close(f.found)
	defer f.Whole.Store(true)
	for _, source := range sources {
		for t, err := range source {
			if ctx.Err() != nil {
				return
			}
			f.Count.Add(int64(t.Count))
			select {
			case f.found <- found{t, err}:
			case <-ctx.Done():
			}
		}
	}
}

// Wait waits for a target. It reports false at the end or if ctx is done.
func (f *Feed) Wait(ctx context.Context) bool { return f.next(ctx, nil) }

// Ready yields addresses while targets arrive quickly. Servers that were queried must
// not wait for a slow list or for looking up a name.
func (f *Feed) Ready(ctx context.Context) iter.Seq[netip.AddrPort] {
	return func(yield func(netip.AddrPort) bool) {
		for f.rest.Count > 0 || f.next(ctx, time.After(soon)) {
			addr := netip.AddrPortFrom(f.rest.Addr, f.rest.Port)
			if f.rest.other != 0 {
				f.others[addr] = f.rest.other
			}
			f.rest.Port++
			f.rest.Count--
			if !yield(addr) {
				return
			}
		}
	}
}

// Done forgets an address that was queried. If there was no answer and its target has
// another port, that comes next, and done returns its address.
func (f *Feed) Done(at netip.AddrPort, answered bool) (other netip.AddrPort, ok bool) {
	port, ok := f.others[at]
	delete(f.others, at)
	if !ok || answered {
		return netip.AddrPort{}, false
	}
	f.again = append(f.again, Target{Addr: at.Addr(), Port: port, Count: 1})
	return netip.AddrPortFrom(at.Addr(), port), true
}

// next makes sure that rest is not empty, if possible before late.
func (f *Feed) next(ctx context.Context, late <-chan time.Time) bool {
	for f.rest.Count == 0 {
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
				f.Wrong(t.err)
			}
			f.rest = t.Target
		case <-late:
			return false
		case <-ctx.Done():
			return false
		}
	}
	return true
}
