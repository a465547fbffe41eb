package bombermannet

import (
	"time"

	"github.com/lobbywire/lobbywire"
)

// ManagementServerLimits bound what peers may take of a [ManagementServer]. A
// zero field means the default.
type ManagementServerLimits struct {
	// ConnLimits bound connections. Idle is for those that have no game server
	// registered. By default First, Frame and Write are 10 s and Idle 2 min;
	// there are up to 10 000 connections, 64 of an address, 256 of a prefix,
	// with 8 MiB of incomplete messages.
	lobbywire.ConnLimits

	// IdleRegistered is Idle for connections that have registered a game server.
	// The protocol does not require them to send anything, so there is no limit
	// by default: the system detects by TCP keep-alive that a peer is gone.
	IdleRegistered time.Duration

	// QueryRate and Rate are how many queries, and how many other messages, of a
	// connection are handled a second, after a burst of 16 queries or 64 others. By
	// default they are 5 and 50. Further messages wait in the buffers of the system,
	// and then the peer cannot send more. A negative rate is the default, too,
	// because a connection on which nothing is handled is of no use.
	QueryRate int
	Rate      int

	// MaxServers is how many game servers there may be, including those of
	// other nodes; by default 100 000.
	MaxServers int
}

// defaultLimits returns what zero limits mean. A laboratory behind one address
// has room.
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
