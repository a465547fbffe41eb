package lifecycle

import (
	"context"
	"errors"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
)

// A part serves until Close, or for a second after End.
type part struct {
	ended, closed chan struct{}
	err           error // of End and Close
}

func newPart(err error) *part {
	return &part{ended: make(chan struct{}), closed: make(chan struct{}), err: err}
}

func (p *part) End() error {
	close(p.ended)
	return p.err
}

func (p *part) Close() error {
	select {
	case <-p.closed:
		return net.ErrClosed
	default:
		close(p.closed)
		return p.err
	}
}

func (p *part) loop() error {
	select {
	case <-p.closed:
		return errors.New("closed")
	case <-p.ended:
	}
	select {
	case <-p.closed:
	case <-time.After(time.Second):
	}
	return errors.New("ended")
}

func TestServerEndsItsParts(t *testing.T) {
	broken := errors.New("broken")
	inTime := func(s *Server) error { return s.Shutdown(context.Background()) }
	atOnce := func(s *Server) error {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		return s.Shutdown(ctx)
	}
	for _, tt := range []struct {
		name string
		err  error // of the part
		end  func(*Server) error
		want error
		took time.Duration
	}{
		{"Shutdown", nil, inTime, nil, time.Second},
		{"Shutdown of a broken part", broken, inTime, broken, time.Second},
		{"Shutdown of a closed part", net.ErrClosed, inTime, nil, time.Second},
		{"Shutdown without time", nil, atOnce, context.DeadlineExceeded, 100 * time.Millisecond},
		{"Close", nil, (*Server).Close, nil, 0},
		{"Close of a broken part", broken, (*Server).Close, broken, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var s Server
				p, ended := newPart(tt.err), make(chan error, 1)
				go func() { ended <- s.Serve(p, p.loop) }()
				synctest.Wait()
				if s.IsEnding() || s.Context().Err() != nil {
					t.Error("the server ends by itself")
				}
				began := time.Now()
				if err := tt.end(&s); !errors.Is(err, tt.want) {
					t.Errorf("got error %v, want %v", err, tt.want)
				}
				if took := time.Since(began); took != tt.took {
					t.Errorf("took %v, want %v", took, tt.took)
				}
				if err := <-ended; err != lobbywire.ErrClosed {
					t.Errorf("Serve returned %v", err)
				}
				if !s.IsEnding() || s.Context().Err() == nil {
					t.Error("the server has not ended")
				}
				p = newPart(nil)
				if err := s.Serve(p, p.loop); !errors.Is(err, lobbywire.ErrClosed) {
					t.Errorf("Serve returned %v after the end", err)
				}
				<-p.closed
			})
		})
	}
}

func TestServerPassesErrors(t *testing.T) {
	var s Server
	p, broken := newPart(nil), errors.New("broken")
	if err := s.Serve(p, func() error { return broken }); err != broken {
		t.Errorf("Serve returned %v", err)
	}
	<-p.closed
}

// A pause ends with the server.
func TestPauseEndsWithTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Server
		began := time.Now()
		s.Pause(time.Minute)
		if took := time.Since(began); took != time.Minute {
			t.Errorf("paused for %v", took)
		}
		time.AfterFunc(time.Second, func() { s.Close() })
		s.Pause(time.Minute)
		if took := time.Since(began); took != time.Minute+time.Second {
			t.Errorf("the pauses took %v", took)
		}
	})
}

func TestPauseDoublesUpToItsMaximum(t *testing.T) {
	for failures, want := range map[int]time.Duration{1: minPause, 2: 2 * minPause, 8: 128 * minPause, 9: maxPause,
		1000: maxPause} {
		if got := PauseAfter(failures); got != want {
			t.Errorf("after %d: %v, want %v", failures, got, want)
		}
	}
}
