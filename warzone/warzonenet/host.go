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
// describes the game, before Run and whenever it changes. Fields must not change
// after that.
//
// It talks as clients of the game's version do:
//
//	2.0, 2.1, 2.2 and Layout23  announces the game; announces a change again
//	                            on another connection
//	version 3                   sends changes as updates on the same
//	                            connection; awaits no answer
//	version 4                   awaits an answer to each update; sends a keep
//	                            after 25 s of silence
//
// Changes are sent at most every 7 s; each carries the latest state.
//
// Unlike the game, which gives up, a Host connects again when the connection ends.
// Its back-off starts at about 5 s, doubles with each announcement that lasts less
// than a minute, and ends at 5 min. A refusal does not end the connection: the
// lobby may accept the next update. A lobby that does not answer an update may be
// dead, so the Host announces the game to it again. If the next update gets no
// answer either, the lobby is one from before 2020; the Host then awaits no answers
// and sends no keeps.
//
// A lobby that disappears is detected by the next update or, if the Host sends only
// keeps, by TCP within a quarter of an hour.
//
// There is one connection, over IPv4 or IPv6, and the lobby lists its address. A
// Dial that uses "tcp4" instead of "tcp" chooses IPv4.
type Host struct {
	// Addr is the address of the lobby, host:port.
	Addr string

	// Timeout limits connecting and each answer; 0 means 15 s. A lobby may take 10
	// s to reach the game before it answers.
	Timeout time.Duration

	// Changed is called by Run after each message of the lobby and when the
	// connection has ended, unless it is nil. Run waits for it, so it must not call
	// Close.
	Changed func(HostState)

	// Dial connects to the lobby, perhaps over TLS; nil means as the system does.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// HTTP announces the game at an HTTP lobby as well, so that players of all versions
	// find it. Its Set, Run and Close are called by those of the Host, and ServeAlive
	// answers both lobbies. Set it to an HTTPHost with an Addr; what only HTTP lobbies
	// carry, such as PublicKey, is as its Set was last called with. nil announces the
	// game at Addr only.
	HTTP *HTTPHost

	// Logger logs when the game is announced and when a connection ends; nil is
	// silent.
	Logger *slog.Logger

	once   sync.Once
	wake   chan struct{} // of Run, when the game changes
	runner lifecycle.Runner
	alive  stream.Server
	stats  struct{ connects, failures, sent, keeps atomic.Uint64 }

	mu    sync.Mutex
	game  warzone.Game
	isSet bool
	isNew bool // the game has changed since it was sent
	state HostState
}

func (h *Host) init() {
	h.wake = make(chan struct{}, 1)
	h.initAlive()
}

// Times of a Host.
const (
	hostTimeout = 15 * time.Second

	minRetry = 5 * time.Second
	maxRetry = 5 * time.Minute
	stands   = time.Minute // an announcement that lasts as long was a success
)

// Run announces the game until ctx is done or Close is called, and again each time
// the connection ends. When it returns, the connection is closed, so lobbies remove
// the game. After ctx is done it can be called again.
//
// Its error is never nil: the cause of ctx, [lobbywire.ErrClosed] after Close, or that
// Set was not called, Addr is not host:port, or Run has not returned yet.
func (h *Host) Run(ctx context.Context) error {
	h.once.Do(h.init)
	return h.runner.Run(ctx, h.run)
}

func (h *Host) run(ctx context.Context) error {
	h.mu.Lock()
	isSet := h.isSet
	h.mu.Unlock()
	if err := checkHost(isSet, h.Addr, h.Dial); err != nil {
		return err
	}
	if h.HTTP != nil {
		return h.runBoth(ctx)
	}
	return h.keepAnnounced(ctx)
}

// runBoth announces the game at both lobbies.
func (h *Host) runBoth(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		cancel(h.HTTP.Run(ctx))
	}()
	err := h.keepAnnounced(ctx)
	<-ended
	return err
}

// keepAnnounced announces the game until ctx is done.
func (h *Host) keepAnnounced(ctx context.Context) error {
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

// lost records why a connection ended.
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
	err := errors.Join(h.runner.Close(), h.alive.Close())
	if h.HTTP != nil {
		err = errors.Join(err, h.HTTP.Close())
	}
	return err
}
