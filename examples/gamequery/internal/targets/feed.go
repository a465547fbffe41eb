package targets

import (
	"context"
	"iter"
	"net/netip"
	"sync"
	"sync/atomic"
)

// A Feed yields targets while more are read. Scans read it in another goroutine.
type Feed struct {
	Wrong func(error) // called by that goroutine with the errors of invalid targets

	found chan found
	Count atomic.Int64 // number of addresses found
	Whole atomic.Bool  // the end has been reached

	changed chan struct{} // signals Done

	mu     sync.Mutex
	others map[netip.AddrPort]uint16 // other ports of addresses that are being queried
	again  []Target                  // other ports that come next
}

// found is a target or an error.
type found struct {
	Target
	err error
}

// Limits on the targets that are read before they are used.
const (
	readAhead  = 4096
	maxLookups = 32 // names that are looked up at once
)

// NewFeed reads sources in order until the end, or until ctx is done.
func NewFeed(ctx context.Context, sources ...Source) *Feed {
	f := &Feed{found: make(chan found, readAhead-maxLookups), changed: make(chan struct{}, 1),
		others: map[netip.AddrPort]uint16{}}
	go f.read(ctx, sources)
	return f
}

func (f *Feed) read(ctx context.Context, sources []Source) {
	defer close(f.found)
	defer f.Whole.Store(true)
	lookups := make(chan chan lookup, maxLookups-1) // in order; one more is being awaited
	go lookUp(ctx, sources, lookups)
	for one := range lookups {
		got := <-one
		if got.err != nil {
			got.all = []Target{{}}
		}
		for _, t := range got.all {
			if ctx.Err() != nil {
				return
			}
			f.Count.Add(int64(t.Count))
			select {
			case f.found <- found{t, got.err}:
			case <-ctx.Done():
			}
		}
	}
}

// A lookup holds the addresses of a target.
type lookup struct {
	all []Target
	err error
}

// lookUp looks up the targets of sources, and sends the results in order, until ctx is done.
func lookUp(ctx context.Context, sources []Source, lookups chan<- chan lookup) {
	defer close(lookups)
	for _, source := range sources {
		for t, err := range source {
			one := make(chan lookup, 1)
			select {
			case lookups <- one:
			case <-ctx.Done():
				return
			}
			if err != nil || t.host == "" {
				one <- lookup{[]Target{t}, err}
				continue
			}
			go func() {
				all, err := t.atAll(ctx)
				one <- lookup{all, err}
			}()
		}
	}
}

// Addrs yields the addresses of all targets, as they are found, and other ports that
// Done adds. It ends after the last address is done, or if ctx is done.
func (f *Feed) Addrs(ctx context.Context) iter.Seq[netip.AddrPort] {
	return func(yield func(netip.AddrPort) bool) {
		in := f.found
		for {
			t, ok := f.next(ctx, &in)
			if !ok {
				return
			}
			for ; t.Count > 0; t.Count-- {
				addr := netip.AddrPortFrom(t.Addr.Unmap(), t.Port)
				f.expect(addr, t.other)
				if !yield(addr) {
					return
				}
				t.Port++
			}
		}
	}
}

// next waits for the next target. It reports false at the end, or if ctx is done. It sets
// in to nil when no more targets are found.
func (f *Feed) next(ctx context.Context, in *chan found) (Target, bool) {
	for {
		t, more := f.takeAgain()
		if t.Count > 0 {
			return t, true
		}
		if *in == nil && !more {
			return Target{}, false
		}
		select {
		case t, ok := <-*in:
			switch {
			case !ok:
				*in = nil
			case t.err != nil:
				f.Wrong(t.err)
			default:
				return t.Target, true
			}
		case <-f.changed:
		case <-ctx.Done():
			return Target{}, false
		}
	}
}

// expect notes the other port of an address, 0 if it has none.
func (f *Feed) expect(addr netip.AddrPort, other uint16) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if other != 0 {
		f.others[addr] = other
	}
}

// takeAgain returns the next target that Done has added, with count 0 if there is none,
// and whether there may be more of them later.
func (f *Feed) takeAgain() (t Target, more bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.again) > 0 {
		t, f.again = f.again[0], f.again[1:]
	}
	return t, len(f.others) > 0
}

// Done forgets an address that was queried, and returns the other port of its target, 0 if it
// has none. If there was no answer, that comes next.
func (f *Feed) Done(at netip.AddrPort, answered bool) (other uint16) {
	f.mu.Lock()
	defer f.mu.Unlock()
	other, ok := f.others[at]
	if !ok {
		return 0
	}
	delete(f.others, at)
	select {
	case f.changed <- struct{}{}:
	default:
	}
	if !answered {
		f.again = append(f.again, Target{Addr: at.Addr(), Port: other, Count: 1})
	}
	return other
}
