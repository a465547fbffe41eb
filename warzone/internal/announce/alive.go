package announce

import (
	"context"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// MaxProbe is the maximum size of a request or answer of a check, in bytes. Real ones have
// a few hundred.
const MaxProbe = 4 << 10

// A Prober answers lobbies that check that a game can be reached.
type Prober struct {
	once   sync.Once
	server stream.Server
}

// Serve sends each peer the answer to its request, until Close. It owns l and closes it.
func (p *Prober) Serve(l net.Listener, logger *slog.Logger, answer func(c *stream.Conn) ([]byte, error)) error {
	p.once.Do(func() {
		p.server.Handler = func(_ context.Context, c *stream.Conn) {
			b, err := answer(c)
			if err != nil {
				return
			}
			if _, err := c.Write(b); err == nil {
				c.Finish()
			}
		}
		p.server.Defaults = lobbywire.ConnLimits{
			First:         5 * time.Second,
			Frame:         5 * time.Second,
			Idle:          5 * time.Second,
			Write:         5 * time.Second,
			MaxConns:      64,
			MaxPerAddress: 8,
			MaxPerPrefix:  16,
		}
		p.server.MaxFrame = MaxProbe
		p.server.Logger = logger
	})
	return p.server.Serve(l)
}

// Close ends Serve and waits until it has returned.
func (p *Prober) Close() error { return p.server.Close() }
