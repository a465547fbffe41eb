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

// depth is the maximum number of unread packets of a connection. More are dropped, as a
// kernel does.
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
	c := &Conn{network: n, addr: addr, monitor: newMonitor()}
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
	c.change(func() {
		if len(c.incoming) < depth && !c.closed {
			p.Data = slices.Clone(p.Data)
			c.incoming = append(c.incoming, p)
		}
	})
}

// A Conn is an end of a Network, a net.PacketConn and, if dialed, a net.Conn.
type Conn struct {
	network *Network
	addr    netip.AddrPort
	peer    netip.AddrPort // if dialed

	monitor
	incoming []Packet
	closed   bool

	read, write deadline
}

// ReadFrom reads a packet, cut to the length of b.
func (c *Conn) ReadFrom(b []byte) (int, net.Addr, error) {
	c.L.Lock()
	defer c.L.Unlock()
	for len(c.incoming) == 0 && !c.closed && !c.read.passed() {
		c.Wait()
	}
	switch {
	case c.closed:
		return 0, nil, net.ErrClosed
	case c.read.passed():
		return 0, nil, os.ErrDeadlineExceeded
	}
	p := c.incoming[0]
	c.incoming = c.incoming[1:]
	return copy(b, p.Data), net.UDPAddrFromAddrPort(p.From), nil
}

// WriteTo sends a packet.
func (c *Conn) WriteTo(b []byte, to net.Addr) (int, error) {
	c.L.Lock()
	closed, late := c.closed, c.write.passed()
	c.L.Unlock()
	switch {
	case closed:
		return 0, net.ErrClosed
	case late:
		return 0, os.ErrDeadlineExceeded
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
	c.SetDeadline(time.Time{}) // stops the timers
	err := net.ErrClosed
	c.change(func() {
		if !c.closed {
			c.closed, err = true, nil
		}
	})
	if err == nil {
		c.network.mu.Lock()
		delete(c.network.conns, c.addr)
		c.network.mu.Unlock()
	}
	return err
}

// LocalAddr returns the address.
func (c *Conn) LocalAddr() net.Addr { return net.UDPAddrFromAddrPort(c.addr) }

// RemoteAddr returns the address of the peer.
func (c *Conn) RemoteAddr() net.Addr { return net.UDPAddrFromAddrPort(c.peer) }

// SetDeadline sets both deadlines.
func (c *Conn) SetDeadline(t time.Time) error {
	c.SetReadDeadline(t)
	return c.SetWriteDeadline(t)
}

// SetWriteDeadline makes writes fail from t on. They never block.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	c.set(&c.write, t)
	return nil
}

// SetReadDeadline ends reads at t, also pending ones.
func (c *Conn) SetReadDeadline(t time.Time) error {
	c.set(&c.read, t)
	return nil
}
