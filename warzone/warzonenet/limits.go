package warzonenet

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/lobbywire/lobbywire/internal/stream"
)

// ErrLobbyClosed is what Serve returns after Shutdown or Close.
var ErrLobbyClosed = errors.New("warzonenet: lobby closed")

// Limits bound what peers may take of a server. 0 means the default.
type Limits struct {
	First time.Duration // until the first byte has come; 0 means 10 seconds
	Frame time.Duration // from the first byte of a message to its last; 0 means 10 seconds
	Write time.Duration // for each 64 KiB, one after the other, to be written; 0 means 10 seconds

	// Idle is how long a peer may be silent between messages. 0 means 30
	// seconds. A Lobby gives hosts longer.
	Idle time.Duration

	MaxConns      int // 0 means 20 000
	MaxPerAddress int // connections of an IPv4 address or an IPv6 /64; 0 means 64
	MaxPerPrefix  int // connections of an IPv4 /24 or an IPv6 /48; 0 means 512
}

// Defaults of Limits.
const (
	defaultFirst           = 10 * time.Second
	defaultFrame           = 10 * time.Second
	defaultWrite           = 10 * time.Second
	defaultIdle            = 30 * time.Second
	defaultMaxConns        = 20_000
	defaultConnsPerAddress = 64
	defaultConnsPerPrefix  = 512
	maxBuffered            = 16 << 20 // bytes of messages longer than usual, of all connections
)

// server returns a server of connections within the limits, on which messages
// have up to maxFrame bytes.
func (l Limits) server(maxFrame int, logger *slog.Logger, handler func(ctx context.Context, c *stream.Conn)) *stream.Server {
	return &stream.Server{
		Handler: handler,
		Limits: stream.Limits{
			First:    cmp.Or(l.First, defaultFirst),
			Frame:    cmp.Or(l.Frame, defaultFrame),
			Idle:     cmp.Or(l.Idle, defaultIdle),
			Write:    cmp.Or(l.Write, defaultWrite),
			MaxFrame: maxFrame,
		},
		MaxBuffered:   maxBuffered,
		MaxConns:      cmp.Or(l.MaxConns, defaultMaxConns),
		MaxPerAddress: cmp.Or(l.MaxPerAddress, defaultConnsPerAddress),
		MaxPerPrefix:  cmp.Or(l.MaxPerPrefix, defaultConnsPerPrefix),
		Logger:        logger,
		ErrClosed:     ErrLobbyClosed,
	}
}

// ConnStats counts connections since a server was made.
type ConnStats struct {
	Accepted uint64
	Refused  uint64 // closed at once for a limit on connections
	Open     int    // now
	TimedOut uint64 // ended because the peer took too long to send
	TooLong  uint64 // ended by a message that is too long
}
