package registry

import (
	"cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/source"
)

// maxServers is the default for all servers of a master over UDP: as many as its lists over TCP can
// have, if all are of one game.
const maxServers = 1 << 16

// MasterLimits returns the limits on the servers of a master over UDP. Zero means the
// default, here and in the documentation of masters.
func MasterLimits(total, perAddress, perPrefix int) source.Counter {
	return source.Counter{
		Max:           cmp.Or(total, maxServers),
		MaxPerAddress: cmp.Or(perAddress, 64),
		MaxPerPrefix:  cmp.Or(perPrefix, 256),
	}
}

// perServer is the number of requests that a server may need to register: two or three,
// some of them repeated.
const perServer = 4

// RatesFor returns the default rates of a master over UDP. They let all servers that the
// limits allow register at once.
func RatesFor(limits source.Counter) lobbywire.Rates {
	return lobbywire.Rates{
		PerSource: max(100, perServer*limits.MaxPerAddress),
		PerPrefix: max(800, perServer*limits.MaxPerPrefix),
		Global:    10_000,
	}
}
