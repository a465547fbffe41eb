// Package lifecycle starts, pauses and ends the servers and background tasks of all
// helpers.
package lifecycle

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
)

// A Part is a socket, a listener or a connection that a server serves on. Parts must be
// comparable.
type Part interface {
	// End stops reading. Answers to what was read are still sent.
	End() error

	// Close ends reading and writing at once.
	Close() error
}

// A Server is the life of a server, from its first part to Shutdown or Close.
// Its zero value is ready.
type Server struct {
	once    sync.Once
	ctx     context.Context // ends with the server
	cancel  context.CancelFunc
	ending  context.Context // ends with the first Shutdown or Close
	end     context.CancelFunc
	serving sync.WaitGroup

	mu    sync.Mutex
	parts map[Part]struct{}
}

func (s *Server) init() {
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.ending, s.end = context.WithCancel(context.Background())
	s.parts = make(map[Part]struct{})
}

// Context returns a context that is done when Close is called, or when all
// parts have ended after Shutdown.
func (s *Server) Context() context.Context {
	s.once.Do(s.init)
	return s.ctx
}

// Ending returns a channel that is closed by Shutdown and Close.
func (s *Server) Ending() <-chan struct{} {
	s.once.Do(s.init)
	return s.ending.Done()
}

// IsEnding reports whether Shutdown or Close was called.
func (s *Server) IsEnding() bool {
	s.once.Do(s.init)
	return s.ending.Err() != nil
}

// Serve calls loop and closes p when it returns. The error is [lobbywire.ErrClosed] after
// Shutdown and Close, otherwise the error of loop.
func (s *Server) Serve(p Part, loop func() error) error {
	if !s.Add(p) {
		if err := p.Close(); err != nil {
			return errors.Join(lobbywire.ErrClosed, err)
		}
		return lobbywire.ErrClosed
	}
	defer s.Remove(p)
	defer p.Close()
	err := loop()
	if s.IsEnding() {
		return lobbywire.ErrClosed
	}
	return err
}

// Add adds a part, unless the server is ending, and reports whether it did.
// Remove must be called when nothing serves on the part any more.
func (s *Server) Add(p Part) bool {
	s.once.Do(s.init)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.IsEnding() {
		return false
	}
	s.parts[p] = struct{}{}
	s.serving.Add(1)
	return true
}

// Remove removes a part that Add has added.
func (s *Server) Remove(p Part) {
	s.mu.Lock()
	delete(s.parts, p)
	s.mu.Unlock()
	s.serving.Done()
}

// Each calls visit for every part.
func (s *Server) Each(visit func(p Part)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := range s.parts {
		visit(p)
	}
}

// Pause waits for d, or until the server is ending.
func (s *Server) Pause(d time.Duration) {
	select {
	case <-time.After(d):
	case <-s.Ending():
	}
}

// Shutdown ends all parts and returns when they are removed. When ctx is done
// first, it closes them.
func (s *Server) Shutdown(ctx context.Context) error {
	err := s.endParts(Part.End)
	done := make(chan struct{})
	go func() {
		s.serving.Wait()
		s.cancel()
		close(done)
	}()
	select {
	case <-done:
		return err
	case <-ctx.Done():
		err := errors.Join(context.Cause(ctx), s.Close())
		<-done
		return err
	}
}

// Close closes all parts and returns when they are removed.
func (s *Server) Close() error {
	s.Context()
	s.cancel()
	err := s.endParts(Part.Close)
	s.serving.Wait()
	return err
}

// endParts calls each for all parts. No more can be added.
func (s *Server) endParts(each func(Part) error) error {
	s.once.Do(s.init)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end()
	var errs []error
	for p := range s.parts {
		if err := each(p); err != nil && !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
