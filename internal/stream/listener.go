package stream

import (
	"net"
	"sync"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/source"
)

// LimitListener returns a listener that closes connections beyond MaxConns,
// MaxPerAddress and MaxPerPrefix at once. It is for servers that are not a [Server].
func LimitListener(l net.Listener, limits, defaults lobbywire.ConnLimits) net.Listener {
	return &limitedListener{Listener: l, open: counter(limitsOr(limits, defaults))}
}

type limitedListener struct {
	net.Listener

	mu   sync.Mutex
	open source.Counter
}

// Accept returns the next connection within the limits.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		l.mu.Lock()
		ok := l.open.Add(remote(c).Addr())
		l.mu.Unlock()
		if ok {
			return &limitedConn{Conn: c, listener: l}, nil
		}
		c.Close()
	}
}

// A limitedConn counts until it is closed.
type limitedConn struct {
	net.Conn
	listener *limitedListener
	once     sync.Once
}

// Close closes the connection.
func (c *limitedConn) Close() error {
	c.once.Do(func() {
		c.listener.mu.Lock()
		defer c.listener.mu.Unlock()
		c.listener.open.Remove(remote(c.Conn).Addr())
	})
	return c.Conn.Close()
}
