package tap

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/input"
)

// Sockets open sockets for clients; nil means the system's.
type Sockets struct {
	Dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	Listen func(ctx context.Context) (net.PacketConn, error)
}

// A Tap records the traffic between clients and servers that use its sockets, up to
// maxTapped bytes until they are taken.
type Tap struct {
	mu   sync.Mutex
	sent []capture.Sent
	size int // of sent, in bytes
	Lost int // bytes that were not recorded
}

// maxTapped is the maximum size of a capture.
const maxTapped = input.Max

// Sockets returns sockets whose traffic the Tap records.
func (t *Tap) Sockets() Sockets { return Sockets{Dial: t.dial, Listen: t.listen} }

func (t *Tap) listen(ctx context.Context) (net.PacketConn, error) {
	pc, err := new(net.ListenConfig).ListenPacket(ctx, "udp", ":0")
	if err != nil {
		return nil, err
	}
	return &tappedPacketConn{PacketConn: pc, tap: t, own: udpAddr(pc.LocalAddr())}, nil
}

func (t *Tap) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	c := &tappedConn{Conn: conn, tap: t}
	switch own := conn.LocalAddr().(type) {
	case *net.TCPAddr:
		c.own, c.peer, c.stream = own.AddrPort(), conn.RemoteAddr().(*net.TCPAddr).AddrPort(), true
	case *net.UDPAddr:
		c.own, c.peer = udpAddr(own), udpAddr(conn.RemoteAddr())
	}
	return c, nil
}

// record adds a datagram, or data of a direction of a connection.
func (t *Tap) record(s capture.Sent) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.size+len(s.Data) > maxTapped {
		t.Lost += len(s.Data)
		return
	}
	t.size += len(s.Data)
	for i, known := range t.sent {
		if s.Stream && known.Stream && known.From == s.From && known.To == s.To {
			t.sent[i].Data = append(known.Data, s.Data...)
			return
		}
	}
	t.sent = append(t.sent, s)
}

// Take returns the traffic since the last call.
func (t *Tap) Take() []capture.Sent {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := t.sent
	t.sent, t.size = nil, 0
	return all
}

// TakeOf returns the datagrams to a peer and its answers to them since the last call.
func (t *Tap) TakeOf(peer netip.AddrPort) (all []capture.Sent) {
	t.mu.Lock()
	defer t.mu.Unlock()
	from := map[netip.AddrPort]bool{} // where datagrams to the peer are sent
	for _, s := range t.sent {
		if s.To == peer {
			from[s.From] = true
		}
	}
	t.sent = slices.DeleteFunc(t.sent, func(s capture.Sent) bool {
		is := !s.Stream && (s.To == peer || s.From == peer && from[s.To])
		if is {
			all = append(all, s)
			t.size -= len(s.Data)
		}
		return is
	})
	return all
}

// udpAddr returns a UDP address. An IPv4 address has 4 bytes.
func udpAddr(a net.Addr) netip.AddrPort {
	udp, ok := a.(*net.UDPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	at := udp.AddrPort()
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}

type tappedConn struct {
	net.Conn
	tap       *Tap
	own, peer netip.AddrPort
	stream    bool
}

func (c *tappedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.heard(c.peer, c.own, b[:n])
	return n, err
}

func (c *tappedConn) Write(b []byte) (int, error) {
	c.heard(c.own, c.peer, b) // before the peer can answer
	return c.Conn.Write(b)
}

func (c *tappedConn) heard(from, to netip.AddrPort, b []byte) {
	if len(b) > 0 {
		c.tap.record(capture.Sent{At: time.Now(), From: from, To: to, Stream: c.stream, Data: slices.Clone(b)})
	}
}

// A tappedPacketConn is a socket for many servers.
type tappedPacketConn struct {
	net.PacketConn
	tap *Tap
	own netip.AddrPort
}

func (c *tappedPacketConn) ReadFrom(b []byte) (int, net.Addr, error) {
	n, from, err := c.PacketConn.ReadFrom(b)
	if err == nil {
		c.tap.record(capture.Sent{At: time.Now(), From: udpAddr(from), To: c.own, Data: slices.Clone(b[:n])})
	}
	return n, from, err
}

func (c *tappedPacketConn) WriteTo(b []byte, to net.Addr) (int, error) {
	// It is recorded before the peer can answer.
	c.tap.record(capture.Sent{At: time.Now(), From: c.own, To: udpAddr(to), Data: slices.Clone(b)})
	return c.PacketConn.WriteTo(b, to)
}
