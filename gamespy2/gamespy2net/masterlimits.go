package gamespy2net

import (
	"time"

	"github.com/lobbywire/lobbywire"
)

// MasterLimits bound what servers may take of a [Master]. A zero field means the
// default.
type MasterLimits struct {
	// Rates are in requests, except heartbeats of listed servers without a change.
	// By default a source has 100 a second, a prefix 800 and all together 10 000.
	// Servers that are listed have as much again for themselves.
	lobbywire.Rates

	// Conns bound connections of clients. By default First, Frame and Write are 10 s and
	// Idle 2 min; there are up to 10 000 connections, 32 of an address, 128 of a prefix,
	// with 4 MiB of incomplete messages.
	Conns lobbywire.ConnLimits

	// Lists are the requests of clients on all their connections: for lists, for the
	// rules of a server, and messages to servers. A list with a filter counts once more
	// for each 256 KiB of the length of the filter times the number of servers. By
	// default a source has 10 a second, a prefix 40 and all together 1000. Further
	// requests end the connection.
	Lists lobbywire.Rates

	MaxSubscribers int // connections that get changes; others get no changes; by default 1000

	MaxServers    int // in total; by default 100 000
	MaxPerAddress int // servers of an IPv4 address; by default 64
	MaxPerPrefix  int // servers of an IPv4 /24; by default 256
}

// defaultMasterLimits returns what zero limits mean.
func defaultMasterLimits() MasterLimits {
	return MasterLimits{
		Rates: lobbywire.Rates{PerSource: 100, PerPrefix: 800, Global: 10_000},
		Lists: lobbywire.Rates{PerSource: 10, PerPrefix: 40, Global: 1000},
		Conns: lobbywire.ConnLimits{
			First:         10 * time.Second,
			Frame:         10 * time.Second,
			Idle:          2 * time.Minute,
			Write:         10 * time.Second,
			MaxConns:      10_000,
			MaxPerAddress: 32,
			MaxPerPrefix:  128,
			MaxBuffered:   4 << 20,
		},
		MaxSubscribers: 1000,
		MaxServers:     100_000,
		MaxPerAddress:  64,
		MaxPerPrefix:   256,
	}
}
