package main

import (
	"context"
	"net"
	"net/netip"
	"sync"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
)

// A tap records the traffic between clients and servers that use its sockets.
type tap struct {
	mu   sync.Mutex
	sent []capture.Sent
}

func (t *tap) sockets() sockets { return sockets{dial: t.dial} }

func (t *tap) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	c := &tappedConn{Conn: conn, tap: t}
	switch own := conn.LocalAddr().(type) {
	case *net.TCPAddr:
		c.own, c.peer, c.stream = own.AddrPort(), conn.RemoteAddr().(*net.TCPAddr).AddrPort(), true
	case *net.UDPAddr:
		c.own, c.peer = own.AddrPort(), conn.RemoteAddr().(*net.UDPAddr).AddrPort()
	}
	return c, nil
}

// record adds a datagram, or data of a direction of a connection.
func (t *tap) record(s capture.Sent) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, known := range t.sent {
		if s.Stream && known.Stream && known.From == s.From && known.To == s.To {
			t.sent[i].Data = append(known.Data, s.Data...)
			return
		}
	}
	t.sent = append(t.sent, s)
}

// take returns the traffic since the last call.
func (t *tap) take() []capture.Sent {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := t.sent
	t.sent = nil
	return all
}

type tappedConn struct {
	net.Conn
	tap       *tap
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
		c.tap.record(capture.Sent{From: from, To: to, Stream: c.stream, Data: append([]byte(nil), b...)})
	}
}
