package warzonenet

import (
	"context"
	"log/slog"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// defaultLimits returns the defaults for zero limits.
func defaultLimits() lobbywire.ConnLimits {
	return lobbywire.ConnLimits{
		First:         10 * time.Second,
		Frame:         10 * time.Second,
		Idle:          30 * time.Second,
		Write:         10 * time.Second,
		MaxConns:      20_000,
		MaxPerAddress: 64,
		MaxPerPrefix:  512,
		MaxBuffered:   16 << 20,
	}
}

// newServer returns a server for connections with these limits, whose messages
// have up to maxFrame bytes.
func newServer(limits lobbywire.ConnLimits, maxFrame int, logger *slog.Logger, handler func(ctx context.Context, c *stream.Conn)) *stream.Server {
	return &stream.Server{
		Handler:  handler,
		Limits:   limits,
		Defaults: defaultLimits(),
		MaxFrame: maxFrame,
		Logger:   logger,
	}
}
