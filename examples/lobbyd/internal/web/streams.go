package web

import (
	"cmp"
	"context"
	"net/http"
	"net/netip"
	"sync"
)

// Default limits on streams.
const (
	defaultStreams          = 1000
	defaultStreamsPerSource = 32
)

// streams counts the viewers and runs the goroutine that serves them.
type streams struct {
	mu       sync.Mutex
	n        int
	bySource map[netip.Prefix]int
	begun    bool // the goroutine that follows the catalogue is running
	ended    bool
	done     sync.WaitGroup // for the streams and that goroutine
}

// enter counts a stream, or reports that there are too many. Each successful call
// needs a call of leave.
func (s *Server) enter(source netip.Prefix) bool {
	most, mostOfSource := cmp.Or(s.MaxStreams, defaultStreams), cmp.Or(s.MaxStreamsPerSource, defaultStreamsPerSource)
	t := &s.streams
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended || t.n >= most || !source.Addr().IsLoopback() && t.bySource[source] >= mostOfSource {
		return false
	}
	if t.bySource == nil {
		t.bySource = make(map[netip.Prefix]int)
	}
	if !t.begun {
		t.begun = true
		ready := make(chan struct{})
		t.done.Go(func() { s.follow(ready) })
		<-ready
	}
	t.n++
	t.bySource[source]++
	t.done.Add(1)
	return true
}

func (t *streams) leave(source netip.Prefix) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n--
	if t.bySource[source]--; t.bySource[source] == 0 {
		delete(t.bySource, source)
	}
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

// sourceOf returns the source of a request, as limits count it.
func sourceOf(r *http.Request) netip.Prefix {
	from, _ := netip.ParseAddrPort(r.RemoteAddr) // requests over a unix socket are one source
	addr := from.Addr().Unmap()
	bits := 32
	switch {
	case addr.IsLoopback():
		bits = addr.BitLen() // so that it still is
	case addr.Is6():
		bits = 64
	}
	prefix, _ := addr.Prefix(bits)
	return prefix
}
