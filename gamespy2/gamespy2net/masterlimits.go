package gamespy2net

import "github.com/lobbywire/lobbywire"

// MasterLimits bound what servers may take of a [Master]. A zero field means the
// default.
type MasterLimits struct {
	// Rates are in requests, except heartbeats of listed servers. By default a
	// source has 100 a second, a prefix 800 and all together 10 000. Servers that
	// are listed have as much again for themselves.
	lobbywire.Rates

	MaxServers    int // in total; by default 100 000
	MaxPerAddress int // servers of an IPv4 address; by default 64
	MaxPerPrefix  int // servers of an IPv4 /24; by default 256
}

// defaultMasterLimits returns what zero limits mean.
func defaultMasterLimits() MasterLimits {
	return MasterLimits{
		Rates:         lobbywire.Rates{PerSource: 100, PerPrefix: 800, Global: 10_000},
		MaxServers:    100_000,
		MaxPerAddress: 64,
		MaxPerPrefix:  256,
	}
}
