package proposalnet

import (
	"context"
	"log/slog"
	"net"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A Lobby lists games in one of the proposals. Its zero value is ready and speaks the text
// proposal; fields must not change while it serves.
type Lobby struct {
	// Proposal is the proposal of all connections.
	Proposal Proposal

	// Games holds the open games, and may be shared with other lobbies. nil means an empty
	// list of its own.
	Games *warzonegames.Games

	// Key is the secret that the ids of JSON are derived from. It should have 32 random bytes.
	// All nodes that share a Store need the same Key, and a lobby needs it again after a
	// restart: otherwise hosts cannot close their games before they add them again. nil means
	// a random key.
	Key []byte

	// NoVerify disables the periodic checks that games can be reached.
	NoVerify bool

	// Dial connects to hosts; nil means [net.Dialer.DialContext].
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// Refused is called for a game that is not listed, as package lobbywire describes. nil
	// does nothing.
	Refused func(r lobbywire.Refusal)

	Limits lobbywire.ConnLimits
	Logger *slog.Logger // nil is silent

	server  serving.Server
	counts  stream.Counts[LobbyStats]
	dialect dialect
	lister  lister
	ids     ids

	refusals serving.Refusals
}

// LobbyStats counts the work of a Lobby since its creation.
type LobbyStats struct {
	lobbywire.ConnStats

	Lists     uint64 // lists sent
	Added     uint64 // games listed, or opened again
	Updated   uint64 // changes of listed games, and heartbeats
	Removed   uint64 // games that hosts removed
	Refused   uint64 // requests refused, and games withheld because they do not answer
	Malformed uint64 // malformed requests

	Cut bool // the last list of all games was incomplete, because it has no room for more
}

// Stats returns a snapshot of the counters.
func (l *Lobby) Stats() LobbyStats {
	s := l.counts.Snapshot()
	s.ConnStats = l.server.Stats()
	s.Cut = l.lister.cut.Load()
	return s
}
