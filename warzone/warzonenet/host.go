package warzonenet

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/counts"
	"github.com/lobbywire/lobbywire/warzone/internal/hosting"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// A Host keeps one game in the list of a lobby for as long as Run lasts. Set
// describes the game, before Run and whenever it changes. Fields must not change
// after that.
//
// It behaves like hosts of the game's version:
//
//	2.0, 2.1, 2.2 and Layout23  announces the game; announces a change again
//	                            on another connection
//	version 3                   sends changes as updates on the same
//	                            connection; expects no answer
//	version 4                   expects an answer to each update; sends a Keep
//	                            after 25 s of silence
//
// Changes are sent at most every 7 s; each carries the latest state.
//
// Unlike the game, which gives up, a Host connects again when the connection ends.
// Its back-off starts at about 5 s, doubles with each announcement that lasts less
// than a minute, and ends at 5 min. A refusal does not end the connection: the
// lobby may accept the next update. If an update gets no answer, the Host announces the
// game again. If the next one gets none either, the lobby is from before 2020; the Host
// then expects no answers and sends no Keep messages.
//
// The next update detects a lobby that has disappeared. If the Host sends only Keep
// messages, TCP detects it within a quarter of an hour.
//
// The lobby lists the address of the connection. To choose IPv4, set a Dial that uses
// "tcp4" instead of "tcp".
type Host struct {
	// Addr is the address of the lobby, host:port.
	Addr string

	// Timeout limits the time to connect and the wait for each answer; 0 means 15
	// s. A lobby may take 10 s to check the game before it answers.
	Timeout time.Duration

	// Changed, unless nil, is called by Run after each message of the lobby and
	// when the connection has ended. Run waits for it, so it must not call Close.
	Changed func(HostState)

	// Dial connects to the lobby, for example over TLS; nil means plain TCP.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// HTTP also announces the game to an HTTP lobby, so that players of all versions
	// find it. Set it to a wzhttpnet.Host with an Addr. The methods Set, Run and Close of
	// the Host call those of HTTP, and ServeAlive answers both lobbies. Fields that
	// only HTTP lobbies have, such as PublicKey, keep the values of the last call of
	// its Set. nil announces the game only to the lobby at Addr.
	HTTP *wzhttpnet.Host

	// Logger logs when the game is announced and when a connection ends. nil is
	// silent.
	Logger *slog.Logger

	counts    counts.Of[HostStats]
	announcer hosting.Announcer[warzone.Game]
	alive     hosting.Prober
	past      history // only Run uses it

	mu    sync.Mutex
	state HostState
}

// Run keeps the game announced until ctx is done or Close is called. It connects
// again each time the connection ends. When it returns, the connection is closed,
// so lobbies remove the game. After ctx is done, Run can be called again.
//
// The error is never nil. It is the cause of ctx, [lobbywire.ErrClosed] after Close,
// or an error that says that Set was not called, that Addr is not host:port, or that
// another Run has not returned yet.
func (h *Host) Run(ctx context.Context) error { return h.announcer.Run(ctx, h.run) }

func (h *Host) run(ctx context.Context) error {
	if err := h.announcer.Check(h.Addr, h.Dial); err != nil {
		return err
	}
	if h.HTTP != nil {
		return h.runBoth(ctx)
	}
	return h.keepAnnounced(ctx)
}

// runBoth announces the game to both lobbies.
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
	h.past = history{}
	backoff := stream.Backoff{Min: hosting.MinRetry, Max: hosting.MaxRetry, Steady: hosting.Stands}
	err := backoff.Keep(ctx, h.announce, func(err error, _ time.Duration) { h.lost(ctx, err) })
	h.change(func(s *HostState) { *s = HostState{Status: s.Status} })
	return err
}

// lost records why a connection ended.
func (h *Host) lost(ctx context.Context, err error) {
	err = stream.Outcome(err)
	h.counts.Add(&h.counts.Stats.Failures)
	h.change(func(s *HostState) { *s = HostState{Status: s.Status, Err: err} })
	if h.Logger != nil {
		h.Logger.LogAttrs(ctx, slog.LevelWarn, "lobby lost", slog.String("lobby", h.Addr), slog.Any("error", err))
	}
}

// Stats returns a snapshot.
func (h *Host) Stats() HostStats { return h.counts.Snapshot() }

// Close ends Run and ServeAlive, and waits until they have returned.
func (h *Host) Close() error {
	err := errors.Join(h.announcer.Close(), h.alive.Close())
	if h.HTTP != nil {
		err = errors.Join(err, h.HTTP.Close())
	}
	return err
}
