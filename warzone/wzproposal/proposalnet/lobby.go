package proposalnet

import (
	"context"
	"log/slog"
	"net"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/counts"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A Lobby lists games in one of the proposals. Its zero value is ready and speaks the text
// proposal; fields must not change while it serves.
type Lobby struct {
	// Proposal is the proposal of all connections.
	Proposal Proposal

	// Games has the open games, and may be shared with other lobbies. nil means an empty
	// list of this Lobby only.
	Games *warzonegames.Games

	// Life is how long a game stays listed after the last request of its host. 0 means 10
	// minutes, or 120 seconds in the JSON proposal.
	Life time.Duration

	Limits lobbywire.ConnLimits
	Logger *slog.Logger // nil is silent

	server  serving.Server
	counts  counts.Of[LobbyStats]
	dialect dialect
	rows    warzonegames.Rows[row]
	ids     ids
	filters limit.Limiter
}

// LobbyStats has the counts of a Lobby since its creation.
type LobbyStats struct {
	lobbywire.ConnStats

	Lists     uint64 // lists sent
	Added     uint64 // games listed, or opened again
	Updated   uint64 // changes of listed games, and heartbeats
	Removed   uint64 // games that hosts removed
	Refused   uint64 // requests refused
	Malformed uint64 // requests that are malformed
}

func (l *Lobby) init() {
	l.dialect = l.Proposal.dialect()
	l.server.Init(serving.Settings{
		Games:    l.Games,
		Limits:   l.Limits,
		MaxFrame: l.dialect.facts().maxCommand,
		Logger:   l.Logger,
		Handler:  func(_ context.Context, c *stream.Conn) { l.serveConn(c) },
	})
	l.rows = warzonegames.Rows[row]{
		Games: l.server.Games,
		Row:   l.newRow,
		Join:  func(rows []row) []byte { return l.join(rows, nil) },
	}
	l.ids = newIDs()
	limitFilters(&l.filters)
}

// Serve answers clients and hosts that connect to ln until Shutdown or Close. It owns ln and
// closes it. Its error is never nil; it is [lobbywire.ErrClosed] after Shutdown and Close.
func (l *Lobby) Serve(ln net.Listener) error {
	l.server.Once.Do(l.init)
	return l.server.Serve(ln)
}

// Shutdown stops accepting connections, answers pending requests, and returns when every
// Serve has returned or ctx is done. Games stay listed until they expire.
func (l *Lobby) Shutdown(ctx context.Context) error {
	defer l.end()
	return l.server.Shutdown(ctx)
}

// Close closes all connections at once.
func (l *Lobby) Close() error {
	defer l.end()
	return l.server.Close()
}

// end ends the changes of the rows, if there are any.
func (l *Lobby) end() {
	l.server.Once.Do(func() {})
	if l.rows.Games != nil {
		l.rows.Close()
	}
}

// Stats returns a snapshot.
func (l *Lobby) Stats() LobbyStats {
	s := l.counts.Snapshot()
	s.ConnStats = l.server.Stats()
	return s
}
