package bombermannet

import (
	"time"

	"github.com/lobbywire/lobbywire"
)

// ManagementServerLimits bounds the resources of a [ManagementServer] that
// peers may use. A zero field means the default.
type ManagementServerLimits struct {
	// ConnLimits limits connections. Idle is for connections without a
	// registered game server. By default First, Frame and Write are 10 s and
	// Idle is 2 min; MaxConns is 10 000, MaxPerAddress 64, MaxPerPrefix 256 and
	// MaxBuffered 8 MiB.
	lobbywire.ConnLimits

	// IdleRegistered is Idle for connections that have registered a game server.
	// The protocol does not require them to send anything, so there is no limit
	// by default: TCP keep-alive detects when a peer is gone.
	IdleRegistered time.Duration

	// QueryRate and Rate limit the queries and the other messages of a connection,
	// in messages per second, with bursts of 16 queries and 64 other messages. The
	// defaults are 5 and 50. Further messages wait in the buffers of the operating
	// system until the peer cannot send more. A negative rate also means the
	// default, because a connection on which nothing is handled would be useless.
	QueryRate int
	Rate      int

	// MaxServers is the maximum number of game servers, including those of
	// other nodes; by default 100 000.
	MaxServers int
}

// defaultLimits returns the defaults for zero limits. They allow for a
// laboratory behind one address.
func defaultLimits() ManagementServerLimits {
	return ManagementServerLimits{
		ConnLimits: lobbywire.ConnLimits{
			First:         10 * time.Second,
			Frame:         10 * time.Second,
			Idle:          2 * time.Minute,
			Write:         10 * time.Second,
			MaxConns:      10_000,
			MaxPerAddress: 64,
			MaxPerPrefix:  256,
			MaxBuffered:   8 << 20,
		},
		IdleRegistered: forever,
		QueryRate:      5,
		Rate:           50,
		MaxServers:     100_000,
	}
}

// Messages of a connection that are handled at once.
const (
	queryBurst = 16
	burst      = 64
)

// forever is a limit that no connection reaches.
const forever = 100 * 365 * 24 * time.Hour
