package nettest

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"sync"
	"syscall"
	"time"
)

// Streams is a network of connections like TCP. Its zero value is ready.
type Streams struct {
	mu        sync.Mutex
	listeners map[netip.AddrPort]*Listener
	port      uint16
}

// Listen returns a listener at addr, whose port may be 0.
func (n *Streams) Listen(addr netip.AddrPort) (*Listener, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if addr.Port() == 0 {
		addr = n.newAddrLocked(addr.Addr())
	}
	if n.listeners[addr] != nil {
		return nil, errors.New("nettest: address in use")
	}
	if n.listeners == nil {
		n.listeners = make(map[netip.AddrPort]*Listener)
	}
	l := &Listener{network: n, addr: addr, incoming: make(chan accepted, depth), closed: make(chan struct{})}
	n.listeners[addr] = l
	return l, nil
}

func (n *Streams) newAddrLocked(a netip.Addr) netip.AddrPort {
	n.port++
	return netip.AddrPortFrom(a, firstPort+n.port)
}

// Dial connects to addr from a new port of 127.0.0.1.
func (n *Streams) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	return n.DialFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}))(ctx, network, addr)
}

// DialFrom returns a function that connects from new ports of an address.
func (n *Streams) DialFrom(from netip.Addr) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, _, addr string) (net.Conn, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		peer, err := netip.ParseAddrPort(addr)
		if err != nil {
			return nil, err
		}
		n.mu.Lock()
		defer n.mu.Unlock()
		l := n.listeners[peer]
		if l == nil {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: net.TCPAddrFromAddrPort(peer),
				Err: syscall.ECONNREFUSED}
		}
		local := n.newAddrLocked(from)
		there, back := &half{monitor: newMonitor()}, &half{monitor: newMonitor()}
		here := &StreamConn{local: local, peer: peer, in: back, out: there}
		l.incoming <- accepted{conn: &StreamConn{local: peer, peer: local, in: there, out: back}}
		return here, nil
	}
}

// A Listener accepts connections of Streams.
type Listener struct {
	network  *Streams
	addr     netip.AddrPort
	incoming chan accepted
	once     sync.Once
	closed   chan struct{}
}

type accepted struct {
	conn net.Conn
	err  error
}

// Fail makes one Accept fail.
func (l *Listener) Fail(err error) {
	l.incoming <- accepted{err: &net.OpError{Op: "accept", Net: "tcp", Addr: l.Addr(), Err: err}}
}

// Accept returns the next connection.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case <-l.closed:
		return nil, net.ErrClosed
	default:
	}
	select {
	case a := <-l.incoming:
		return a.conn, a.err
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close frees the address and closes connections that were not accepted.
func (l *Listener) Close() error {
	err := net.ErrClosed
	l.once.Do(func() {
		l.network.mu.Lock()
		delete(l.network.listeners, l.addr)
		l.network.mu.Unlock()
		close(l.closed)
		for len(l.incoming) > 0 {
			if a := <-l.incoming; a.conn != nil {
				a.conn.Close()
			}
		}
		err = nil
	})
	return err
}

// Addr returns the address.
func (l *Listener) Addr() net.Addr { return net.TCPAddrFromAddrPort(l.addr) }

// window is how many bytes can be in transit in one direction. Further writes wait
// for the reader.
const window = 64 << 10

// A half is one direction of a connection.
type half struct {
	monitor
	data   []byte
	ended  bool // by the writer
	broken bool // by the reader

	read, write deadline
}

// A StreamConn is one end of a connection.
type StreamConn struct {
	local, peer netip.AddrPort
	in, out     *half
}

// Read reads bytes that have arrived.
func (c *StreamConn) Read(b []byte) (n int, err error) {
	h := c.in
	h.L.Lock()
	defer h.L.Unlock()
	for len(h.data) == 0 && !h.broken && !h.ended && !h.read.passed() {
		h.Wait()
	}
	switch {
	case h.broken:
		return 0, net.ErrClosed
	case h.read.passed():
		return 0, os.ErrDeadlineExceeded
	case len(h.data) == 0:
		return 0, io.EOF
	}
	n = copy(b, h.data)
	h.data = h.data[n:]
	h.Broadcast()
	return n, nil
}

// Write sends b, and waits while the window is full.
func (c *StreamConn) Write(b []byte) (n int, err error) {
	h := c.out
	h.L.Lock()
	defer h.L.Unlock()
	for {
		for len(h.data) == window && !h.broken && !h.ended && !h.write.passed() {
			h.Wait()
		}
		switch {
		case h.ended:
			return n, net.ErrClosed
		case h.write.passed():
			return n, os.ErrDeadlineExceeded
		case h.broken:
			return n, syscall.EPIPE
		}
		part := min(window-len(h.data), len(b)-n)
		h.data = append(h.data, b[n:n+part]...)
		h.Broadcast()
		n += part
		if n == len(b) {
			return n, nil
		}
	}
}

// CloseWrite ends the output, which the peer reads as io.EOF.
func (c *StreamConn) CloseWrite() error {
	c.out.change(func() { c.out.ended = true })
	return nil
}

// Close ends both directions. The peer can still read what was written.
func (c *StreamConn) Close() error {
	c.SetDeadline(time.Time{}) // stops timers
	err := net.ErrClosed
	c.in.change(func() {
		if !c.in.broken {
			c.in.broken, err = true, nil
		}
	})
	c.out.change(func() { c.out.ended = true })
	return err
}

// LocalAddr returns the address of this end.
func (c *StreamConn) LocalAddr() net.Addr { return net.TCPAddrFromAddrPort(c.local) }

// RemoteAddr returns the address of the other end.
func (c *StreamConn) RemoteAddr() net.Addr { return net.TCPAddrFromAddrPort(c.peer) }

// SetDeadline sets both deadlines.
func (c *StreamConn) SetDeadline(t time.Time) error {
	c.SetReadDeadline(t)
	return c.SetWriteDeadline(t)
}

// SetReadDeadline ends reads at t, also pending ones.
func (c *StreamConn) SetReadDeadline(t time.Time) error {
	c.in.set(&c.in.read, t)
	return nil
}

// SetWriteDeadline ends writes at t, also pending ones.
func (c *StreamConn) SetWriteDeadline(t time.Time) error {
	c.out.set(&c.out.write, t)
	return nil
}
