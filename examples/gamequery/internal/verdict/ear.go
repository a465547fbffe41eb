package verdict

import (
	"bytes"
	"context"
	"net"
	"sync"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
)

// An Ear keeps the first datagrams that arrive at sockets.
type Ear struct {
	mu    sync.Mutex
	heard [][]byte
}

// maxHeard is how many datagrams an Ear keeps. Strays may come before the answer.
const maxHeard = 16

// Sockets returns via with a Dial whose connections keep what they hear in e.
func (e *Ear) Sockets(via tap.Sockets) tap.Sockets {
	dial := via.Dial
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	via.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &heardConn{conn, e}, nil
	}
	return via
}

// Heard returns the first datagrams.
func (e *Ear) Heard() [][]byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.heard
}

type heardConn struct {
	net.Conn
	ear *Ear
}

func (c *heardConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err == nil {
		c.ear.hear(b[:n])
	}
	return n, err
}

func (e *Ear) hear(b []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.heard) < maxHeard {
		e.heard = append(e.heard, bytes.Clone(b))
	}
}
