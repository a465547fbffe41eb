// Package serving contains the code that the lobbies of Warzone 2100 share: limits of
// connections, requests and log lines.
package serving

import (
	"errors"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// Defaults of the limits of connections and games.
const (
	MaxPerAddress = 64
	MaxPerPrefix  = 512
)

// DefaultLimits returns the defaults for zero limits of connections.
func DefaultLimits() lobbywire.ConnLimits {
	return lobbywire.ConnLimits{
		First:         10 * time.Second,
		Frame:         10 * time.Second,
		Idle:          30 * time.Second,
		Write:         10 * time.Second,
		MaxConns:      20_000,
		MaxPerAddress: MaxPerAddress,
		MaxPerPrefix:  MaxPerPrefix,
		MaxBuffered:   16 << 20,
	}
}

// A connection may make a burst of Burst requests, and then one every Every. Hosts send a
// few at first and then at most one every 7 seconds.
const (
	Burst = 16
	Every = 200 * time.Millisecond
)

// NewPace returns the pace of requests of a connection.
func NewPace() stream.Pace { return stream.Pace{Burst: Burst, Every: Every} }

// IsMalformed reports whether err is about the input, not the connection.
func IsMalformed(err error) bool {
	_, ok := errors.AsType[*lobbywire.Error](err)
	return ok
}
