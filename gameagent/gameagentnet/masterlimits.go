package gameagentnet

import (
	"time"

	"github.com/lobbywire/lobbywire"
)

// MasterLimits bound what servers and clients may take of a [Master]. A zero
// field means the default.
type MasterLimits struct {
	// Rates are in requests, except those for lists and heartbeats of listed
	// servers. By default a source has 100 a second, a prefix 800 and all
	// together 10 000. Servers that are listed have as much again for themselves.
	lobbywire.Rates

	// Lists are in datagrams of lists. A longer list takes all that a source
	// has. By default a source is sent 16 a second, a prefix 400 and all together
	// 10 000, so 10 MB.
	Lists lobbywire.Rates

	// MaxListPackets is how many datagrams, of up to 170 servers each, answer
	// one request; by default 16, so 2720 servers. If the list is longer, each
	// answer continues where the one before ended.
	MaxListPackets int

	// Conns are of ServeLists. By default there are 4096 connections, 32 of an
	// address and 256 of a prefix. The first byte has 10 s, as have the request and
	// each 64 KiB of the answer, and all of it 30 s.
	Conns lobbywire.ConnLimits

	MaxServers    int // in total; by default 100 000
	MaxPerAddress int // servers of an IPv4 address; by default 64
	MaxPerPrefix  int // servers of an IPv4 /24; by default 256
}

// defaultLimits returns what zero limits mean.
func defaultLimits() MasterLimits {
	return MasterLimits{
		Rates:          lobbywire.Rates{PerSource: 100, PerPrefix: 800, Global: 10_000},
		Lists:          lobbywire.Rates{PerSource: 16, PerPrefix: 400, Global: 10_000},
		MaxListPackets: 16,
		Conns: lobbywire.ConnLimits{
			First: 10 * time.Second, Frame: 10 * time.Second, Idle: 10 * time.Second, Write: 10 * time.Second,
			MaxConns: 4096, MaxPerAddress: 32, MaxPerPrefix: 256, MaxBuffered: 4 << 20,
		},
		MaxServers:    100_000,
		MaxPerAddress: 64,
		MaxPerPrefix:  256,
	}
}
