// Package nettest is a network in memory, for datagrams and for streams, for tests
// under testing/synctest: it blocks on channels only and uses the time of the bubble.
// A function of the packet simulates faults of datagrams.
package nettest

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"time"
)

// depth is how many unread packets a connection holds. More are dropped, as by a
// kernel.
const depth = 4096

// A Packet is on its way.
type Packet struct {
	From, To netip.AddrPort
	Data     []byte
	Delay    time.Duration // until it arrives
}

// A Network joins connections by address. Its zero value is ready and loses
// nothing.
type Network struct {
	// Route, if set, returns the packets that arrive instead of a packet: none, the
	// packet itself, copies or others. It may be called from several goroutines.
	Route func(p Packet) []Packet

	mu    sync.Mutex
	conns map[netip.AddrPort]*Conn
	port  uint16
}

// firstPort is the first port for connections that request none.
const firstPort = 40000

// Listen returns a connection at addr, whose port may be 0.
func (n *Network) Listen(addr netip.AddrPort) (*Conn, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if addr.Port() == 0 {
		addr = netip.AddrPortFrom(addr.Addr(), firstPort+n.port)
		n.port++
	}
	if n.conns[addr] != nil {
		return nil, errors.New("nettest: address in use")
	}
	if n.conns == nil {
		n.conns = make(map[netip.AddrPort]*Conn)
	}
	c := &Conn{
		network:  n,
		addr:     addr,
		incoming: make(chan *Packet, depth),
		closed:   make(chan struct{}),
		expired:  make(chan struct{}),
	}
	n.conns[addr] = c
	return c, nil
}

// Dial returns a connection from a new port of 127.0.0.1 to addr. It receives packets
// only from there.
func (n *Network) Dial(_ context.Context, _, addr string) (net.Conn, error) {
	peer, err := netip.ParseAddrPort(addr)
	if err != nil {
		return nil, err
	}
	c, err := n.Listen(netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), 0))
	if err != nil {
		return nil, err
	}
	c.peer = peer
	return c, nil
}

// send routes a packet.
func (n *Network) send(p Packet) {
	arriving := []Packet{p}
	if n.Route != nil {
		arriving = n.Route(p)
	}
	for _, p := range arriving {
		if p.Delay > 0 {
			time.AfterFunc(p.Delay, func() { n.deliver(p) })
			continue
		}
		n.deliver(p)
	}
}

// Inject delivers a packet whose From may be forged, without Route.
func (n *Network) Inject(p Packet) { n.deliver(p) }

func (n *Network) deliver(p Packet) {
	n.mu.Lock()
	c := n.conns[p.To]
	n.mu.Unlock()
	if c == nil || c.peer.IsValid() && c.peer != p.From {
		return
	}
	p.Data = slices.Clone(p.Data)
	select {
	case c.incoming <- &p:
	default:
	}
}

// A Conn is an end of a Network, a net.PacketConn and, if dialed, a net.Conn.
type Conn struct {
	network  *Network
	addr     netip.AddrPort
	peer     netip.AddrPort // if dialed
	incoming chan *Packet
	once     sync.Once
	closed   chan struct{}

	mu      sync.Mutex
	expired chan struct{} // closed when the read deadline has passed
	timer   *time.Timer
}

// ReadFrom reads a packet, cut to the length of b.
func (c *Conn) ReadFrom(b []byte) (int, net.Addr, error) {
	c.mu.Lock()
	expired := c.expired
	c.mu.Unlock()
	select {
	case <-c.closed:
		return 0, nil, net.ErrClosed
	case <-expired:
		return 0, nil, os.ErrDeadlineExceeded
	default:
	}
	select {
	case p := <-c.incoming:
		return copy(b, p.Data), net.UDPAddrFromAddrPort(p.From), nil
	case <-c.closed:
		return 0, nil, net.ErrClosed
	case <-expired:
		return 0, nil, os.ErrDeadlineExceeded
	}
}

// WriteTo sends a packet.
func (c *Conn) WriteTo(b []byte, to net.Addr) (int, error) {
	select {
	case <-c.closed:
		return 0, net.ErrClosed
	default:
	}
	c.network.send(Packet{From: c.addr, To: to.(*net.UDPAddr).AddrPort(), Data: slices.Clone(b)})
	return len(b), nil
}

// Read reads a packet from the peer.
func (c *Conn) Read(b []byte) (int, error) {
	n, _, err := c.ReadFrom(b)
	return n, err
}

// Write sends a packet to the peer.
func (c *Conn) Write(b []byte) (int, error) {
	return c.WriteTo(b, net.UDPAddrFromAddrPort(c.peer))
}

// Close frees the address.
func (c *Conn) Close() error {
	err := net.ErrClosed
	c.once.Do(func() {
		close(c.closed)
		c.network.mu.Lock()
		delete(c.network.conns, c.addr)
		c.network.mu.Unlock()
		err = nil
	})
	return err
}

// LocalAddr returns the address.
func (c *Conn) LocalAddr() net.Addr { return net.UDPAddrFromAddrPort(c.addr) }

// RemoteAddr returns the address of the peer.
func (c *Conn) RemoteAddr() net.Addr { return net.UDPAddrFromAddrPort(c.peer) }

// SetDeadline is SetReadDeadline: writing does not block.
func (c *Conn) SetDeadline(t time.Time) error { return c.SetReadDeadline(t) }

// SetWriteDeadline does nothing: writing does not block.
func (c *Conn) SetWriteDeadline(time.Time) error { return nil }

// SetReadDeadline ends reads at t, also pending ones.
func (c *Conn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	select {
	case <-c.expired:
		c.expired = make(chan struct{})
	default:
	}
	switch wait := time.Until(t); {
	case t.IsZero():
	case wait <= 0:
		close(c.expired)
	default:
		expired := c.expired
		c.timer = time.AfterFunc(wait, func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			select {
			case <-expired:
			default:
				close(expired)
			}
		})
	}
	return nil
}
