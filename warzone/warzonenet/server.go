package warzonenet

import (
	"context"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// A tcpLobby is what Lobby, ProposalLobby and JSONLobby have in common.
type tcpLobby struct {
	counts[LobbyStats]
	once   sync.Once // for the init of the lobby
	games  *Games
	server stream.Server
}

// initServer prepares a lobby whose requests have up to maxFrame bytes. A nil games
// means an empty list.
func (l *tcpLobby) initServer(games *Games, limits lobbywire.ConnLimits, maxFrame int, logger *slog.Logger, handler func(ctx context.Context, c *stream.Conn)) {
	if l.games = games; games == nil {
		l.games = new(Games)
	}
	l.server.Handler, l.server.Limits, l.server.Defaults = handler, limits, defaultLimits()
	l.server.MaxFrame, l.server.Logger = maxFrame, logger
}

// serve answers connections. The Store shares the games meanwhile.
func (l *tcpLobby) serve(ln net.Listener) error {
	if l.games != nil { // not after an end without a start
		l.games.join()
		defer l.games.leave()
	}
	return l.server.Serve(ln)
}

// Shutdown stops accepting connections, answers pending requests, and returns when every
// Serve has returned or ctx is done. It removes the games of hosts whose connections it
// closes; games of proposals stay listed until they expire.
func (l *tcpLobby) Shutdown(ctx context.Context) error { return l.server.Shutdown(ctx) }

// Close closes all connections at once, as Shutdown does when ctx is done.
func (l *tcpLobby) Close() error { return l.server.Close() }

// Stats returns a snapshot.
func (l *tcpLobby) Stats() LobbyStats {
	s := l.snapshot()
	s.ConnStats = l.server.Stats()
	return s
}

// defaultLimits returns the defaults for zero limits.
func defaultLimits() lobbywire.ConnLimits {
	return lobbywire.ConnLimits{
		First:         10 * time.Second,
		Frame:         10 * time.Second,
		Idle:          30 * time.Second,
		Write:         10 * time.Second,
		MaxConns:      20_000,
		MaxPerAddress: 64,
		MaxPerPrefix:  512,
		MaxBuffered:   16 << 20,
	}
}

// A connection may make a burst of requestsAtOnce requests, and then one every
// requestEvery. Hosts make a few at first and then at most one every 7 seconds.
const (
	requestsAtOnce = 16
	requestEvery   = 200 * time.Millisecond
)

func newPace() stream.Pace { return stream.Pace{Burst: requestsAtOnce, Every: requestEvery} }

// positiveOr returns v if it is positive, and otherwise byDefault.
func positiveOr[T int | time.Duration](v, byDefault T) T {
	if v > 0 {
		return v
	}
	return byDefault
}

// LobbyStats has the counts of a Lobby, ProposalLobby or JSONLobby since its
// creation.
type LobbyStats struct {
	lobbywire.ConnStats

	Lists   uint64 // lists sent
	Added   uint64 // games listed; in proposals also games opened again
	Updated uint64 // changes of listed games, and heartbeats of the proposals
	Removed uint64 // games that hosts removed; only the proposals have a request for that

	// Refused counts the games that a Lobby did not list because they could not
	// be reached, and the requests of proposals that were refused.
	Refused uint64

	Malformed uint64 // requests that are malformed
}
