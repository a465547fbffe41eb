package warzonenet

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
)

// A Lobby lists games for the clients and hosts of Warzone 2100 2.0 to 4.6; an
// [HTTPLobby] does so for later ones. Its zero value is ready; fields must not change while
// it serves.
type Lobby struct {
	// Games are the games that it lists, and to which hosts add. Other servers may
	// share them. nil is an empty list of its own.
	Games *Games

	// MOTD is the text for all clients and hosts. It may have several lines. Empty
	// means "OK", as some clients may not expect an empty text. Clients of 2.2 and
	// 2.3 show up to 255 bytes. SetMOTD changes it later.
	MOTD string

	// Layout is that of the list. [warzone.LayoutVersioned], the zero value, is for
	// clients 2.2 to 4.6. [warzone.Layout21] and [warzone.Layout20] are for
	// earlier ones, on a port of their own, since their requests look the same.
	// Hosts of versions 2.0 to 4.6 may add games on any port. See
	// [Games.RecordPort] for where the earlier ones are joined.
	Layout warzone.Layout

	// NoVerify lists games without checking that they can be reached.
	NoVerify bool

	// VerifyTimeout limits that check. 0 fits the time that the host waits for the
	// status: 6 of 10 seconds for a game of version 4; 2 of 2.5 for its updates and
	// for other versions.
	VerifyTimeout time.Duration

	// Dial connects to hosts, in place of [net.Dialer.DialContext].
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	Limits lobbywire.ConnLimits

	// Logger logs, among others, games that are refused and why, with a rate limit.
	// nil is silent.
	Logger *slog.Logger

	once     sync.Once
	invalid  error // why it cannot serve
	games    *Games
	server   *stream.Server
	greeting atomic.Pointer[greeting]
	stats    lobbyCounters
	refusals limit.Limiter // of log lines
}

// maxRequest is the size of the longest request, with room for bytes between
// requests.
const maxRequest = 1 << 10

func (l *Lobby) init() {
	l.games = l.Games
	if l.games == nil {
		l.games = new(Games)
	}
	var g *greeting
	g, l.invalid = newGreeting(l.MOTD)
	l.greeting.Store(g)
	limitLog(&l.refusals)
	l.server = newServer(l.Limits, maxRequest, l.Logger, l.serve)
}

// Serve answers clients and hosts that connect to ln until Shutdown or Close. It
// owns ln. Its error is never nil; it is about MOTD if that is longer than
// [warzone.MaxStatusText].
func (l *Lobby) Serve(ln net.Listener) error {
	l.once.Do(l.init)
	if l.invalid != nil {
		return errors.Join(l.invalid, ln.Close())
	}
	l.games.join()
	defer l.games.leave()
	return l.server.Serve(ln)
}

// Shutdown stops accepting, lets pending requests be answered, and returns when
// every Serve has returned or ctx is done. It removes the games of connected hosts.
func (l *Lobby) Shutdown(ctx context.Context) error {
	l.once.Do(l.init)
	return l.server.Shutdown(ctx)
}

// Close closes all connections at once, and returns when every Serve has
// returned.
func (l *Lobby) Close() error {
	l.once.Do(l.init)
	return l.server.Close()
}

// Stats returns a snapshot.
func (l *Lobby) Stats() LobbyStats {
	l.once.Do(l.init)
	return l.stats.snapshot(l.server.Stats())
}
