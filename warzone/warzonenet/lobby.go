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
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
)

// A Lobby lists games for clients and hosts of Warzone 2100, in the protocol
// that all its releases speak. Its zero value is ready; fields must not change
// while it serves.
type Lobby struct {
	// Games are what it lists, and to what hosts add. Other servers may share
	// them. nil is an empty list of its own.
	Games *Games

	// MOTD is shown to all who list or host games. It may have several lines.
	// Empty is "OK", as some clients may not expect an empty text. Clients of
	// 2.2 and 2.3 show up to 255 bytes. SetMOTD changes it later.
	MOTD string

	// Layout is that of the list. [warzone.LayoutVersioned], the zero value,
	// is for all clients since 2.2. [warzone.Layout21] and [warzone.Layout20]
	// are for those before, on a port of their own, since their request is the
	// same. Hosts of all versions may add games anyway.
	Layout warzone.Layout

	// NoVerify lists games without a look at whether they can be reached.
	NoVerify bool

	// VerifyTimeout is how long that may take. 0 means what the host waits for
	// the status: 6 of its 10 seconds for a game of version 4, 2 of 2.5 for an
	// update of one that was not listed and for other versions.
	VerifyTimeout time.Duration

	// Dial connects to hosts, in place of [net.Dialer.DialContext].
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	Limits lobbywire.ConnLimits
	Logger *slog.Logger // nil is silent

	once     sync.Once
	invalid  error // why it cannot serve
	games    *Games
	server   *stream.Server
	greeting atomic.Pointer[greeting]
	stats    lobbyCounters
}

// maxRequest is how long a request is, with room for bytes between.
const maxRequest = 1 << 10

func (l *Lobby) init() {
	l.games = l.Games
	if l.games == nil {
		l.games = new(Games)
	}
	var g *greeting
	g, l.invalid = newGreeting(l.MOTD)
	l.greeting.Store(g)
	l.server = newServer(l.Limits, maxRequest, l.Logger, l.serve)
}

// Serve answers clients and hosts that connect to ln until Shutdown or Close.
// It owns ln. Its error is never nil; it is about MOTD if that is longer than
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

// Shutdown stops accepting, lets what was asked be answered, and returns when
// every Serve has returned or ctx is done. The games of the hosts that are
// connected are gone.
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
