package warzonenet

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
)

// A Host keeps one game in the list of a lobby for as long as Run lasts. Set
// says what game, before Run and whenever it changes. Fields must not change
// after that.
//
// The conversation is that of the clients whose game it is:
//
//	of 2.0, 2.1 and 2.2, and Layout23  it is announced; a change is announced
//	                                   again on another connection
//	version 3                          a change is an update on the same
//	                                   connection; an answer is not awaited
//	version 4                          each update is answered; a keep tells
//	                                   after 25 s of silence that it is there
//
// A change is sent 7 s after what was sent before at the earliest, as it is
// then; those before it are passed over.
//
// Unlike the game, which gives up, a Host connects again when the connection
// ends: after 5 s or so, and twice as long with each announcement that did not
// stand for a minute, up to 5 min. A refusal does not end the connection: the
// next update may be accepted. A lobby that does not answer an update may have
// vanished, so the game is announced to it anew; if it then answers the next one
// no more than the first, it is one from before 2020, and gets updates without
// being waited for, and no keeps.
//
// A lobby that vanishes without a word is found out by the next update or, with
// nothing to say to it but keeps, by the system, within a quarter of an hour.
//
// There is one connection, of IPv4 or IPv6, and the lobby lists the address it
// comes from. A Dial that takes "tcp4" instead of "tcp" decides which.
type Host struct {
	// Addr is the address of the lobby, host:port.
	Addr string

	// Timeout is how long connecting, and each answer, may take; 0 means 15 s.
	// A lobby may try for 10 s to reach the game before it answers.
	Timeout time.Duration

	// Changed is called by Run when the lobby has told the id of the game, with
	// each of its answers, and when the connection has ended, unless it is nil.
	// Run goes on when it returns, so it must not call Close.
	Changed func(HostState)

	// Dial connects to the lobby, over TLS as it may be; nil is the system's.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// Logger is told when the game is announced and when that ends; nil is
	// silent.
	Logger *slog.Logger

	once   sync.Once
	ready  chan struct{} // closed by the first Set
	wake   chan struct{} // of Run, when the game changes
	runner lifecycle.Runner
	alive  stream.Server
	stats  struct{ connects, failures, sent, keeps atomic.Uint64 }

	mu      sync.Mutex
	game    warzone.Game
	isReady bool
	isNew   bool // the game is not what was sent
	state   HostState
}

func (h *Host) init() {
	h.ready = make(chan struct{})
	h.wake = make(chan struct{}, 1)
	h.initAlive()
}

// Times of a Host.
const (
	hostTimeout = 15 * time.Second

	minRetry = 5 * time.Second
	maxRetry = 5 * time.Minute
	stands   = time.Minute // after which an announcement was a success
)

// Run announces the game until ctx is done or the Host is closed, and again each
// time the connection ends. When it returns, the connection is closed, with which
// lobbies take the game off their list. It can be called again after that, not
// before. It waits for the first Set.
//
// Its error is never nil: the cause of ctx, or [lobbywire.ErrClosed].
func (h *Host) Run(ctx context.Context) error {
	h.once.Do(h.init)
	return h.runner.Run(ctx, h.run)
}

func (h *Host) run(ctx context.Context) error {
	select {
	case <-h.ready:
	case <-ctx.Done():
	}
	var past history
	backoff := stream.Backoff{Min: minRetry, Max: maxRetry}
	for ctx.Err() == nil {
		began := time.Now()
		err := h.announce(ctx, &past)
		if ctx.Err() != nil {
			break
		}
		if err == errAgain {
			continue
		}
		if time.Since(began) >= stands {
			backoff.Reset()
		}
		h.lost(ctx, err)
		select {
		case <-time.After(backoff.Next()):
		case <-ctx.Done():
		}
	}
	h.change(func(s *HostState) { *s = HostState{Status: s.Status} })
	return context.Cause(ctx)
}

// lost tells why a connection ended.
func (h *Host) lost(ctx context.Context, err error) {
	err = timeoutOf(err)
	h.stats.failures.Add(1)
	h.change(func(s *HostState) { *s = HostState{Status: s.Status, Err: err} })
	if h.Logger != nil {
		h.Logger.LogAttrs(ctx, slog.LevelWarn, "lobby lost", slog.String("lobby", h.Addr), slog.Any("error", err))
	}
}

// Close ends Run and ServeAlive and returns when they have returned.
func (h *Host) Close() error {
	h.once.Do(h.init)
	return errors.Join(h.runner.Close(), h.alive.Close())
}
