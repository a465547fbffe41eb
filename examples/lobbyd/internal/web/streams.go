package web

import (
	"cmp"
	"context"
	"net/netip"
	"sync"

	"github.com/lobbywire/lobbywire/internal/source"
)

// Default limits on streams.
const (
	defaultStreams          = 1000
	defaultStreamsPerSource = 32
	sourcesOfPrefix         = 4 // whose streams a prefix may have
)

// streams counts the viewers and runs the goroutine that serves them.
type streams struct {
	mu    sync.Mutex
	open  source.Counter
	begun bool // the goroutine that follows the catalogue is running
	ended bool
	done  sync.WaitGroup // for the streams and that goroutine
}

// limit sets the limits, with defaults for zeros.
func (t *streams) limit(most, mostOfSource int) {
	t.open.Max = cmp.Or(most, defaultStreams)
	t.open.MaxPerAddress = cmp.Or(mostOfSource, defaultStreamsPerSource)
	t.open.MaxPerPrefix = sourcesOfPrefix * t.open.MaxPerAddress
}

// An entrance is the result of an attempt to open a stream.
type entrance int

const (
	entered entrance = iota
	full             // too many streams of the client, of its prefix or in total
	ended            // the Server is shut down
)

// enter counts a stream. Each successful call needs a call of leave.
func (s *Server) enter(client netip.Addr) entrance {
	t := &s.streams
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.ended:
		return ended
	case !t.open.Add(client):
		return full
	}
	if !t.begun {
		t.begun = true
		ready := make(chan struct{})
		t.done.Go(func() { s.follow(ready) })
		<-ready
	}
	t.done.Add(1)
	return entered
}

func (t *streams) leave(client netip.Addr) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open.Remove(client)
	t.done.Done()
}

// end refuses new streams and waits until all have left.
func (t *streams) end(ctx context.Context) error {
	t.mu.Lock()
	t.ended = true
	t.mu.Unlock()
	left := make(chan struct{})
	go func() {
		t.done.Wait()
		close(left)
	}()
	select {
	case <-left:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
