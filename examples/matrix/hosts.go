package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"
)

// A host registers a game under a name over a connection to a master, which stays open
// while the game is listed.
type host func(conn net.Conn, name string) error

// startMaster runs a master and the hosts of a case, and returns once all are listed. It
// returns the address for lists, and the addresses of the hosts as entries.
func startMaster(ctx context.Context, c testCase, m packetServer, serveLists func(l net.Listener) error, h host,
	listed func() int) (running, error) {
	pc, err := net.ListenUDP("udp", loopback())
	if err != nil {
		return running{}, err
	}
	r := running{addr: pc.LocalAddr().String()}
	ended := make(chan error, 2)
	go func() { ended <- m.Serve(pc) }()
	servers := 1
	if serveLists != nil {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return running{}, err
		}
		r.addr = l.Addr().String()
		go func() { ended <- serveLists(l) }()
		servers++
	}
	hosts, err := enlist(ctx, c, h, listed, func(int) (net.Conn, error) {
		conn, err := net.ListenUDP("udp", loopback())
		return &hostConn{UDPConn: conn, peer: netip.MustParseAddrPort(pc.LocalAddr().String())}, err
	})
	for _, conn := range hosts {
		r.entries = append(r.entries, conn.LocalAddr().String())
	}
	r.stop = func() {
		closeAll(hosts)
		m.Close()
		for range servers {
			<-ended
		}
	}
	return r, err
}

// startLists is startMaster for masters whose hosts and clients connect to one port.
func startLists(ctx context.Context, c testCase, m interface{ Close() error }, serve func(l net.Listener) error, h host,
	listed func() int) (running, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return running{}, err
	}
	ended := make(chan error, 1)
	go func() { ended <- serve(l) }()
	hosts, err := enlist(ctx, c, h, listed, func(i int) (net.Conn, error) {
		// Each has an address of its own, as games of one address need ports of their own.
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(i+1))}}
		return d.DialContext(ctx, "tcp", l.Addr().String())
	})
	return running{addr: l.Addr().String(), stop: func() {
		closeAll(hosts)
		m.Close()
		<-ended
	}}, err
}

// enlist registers the hosts of a case, and waits until a master lists them.
func enlist(ctx context.Context, c testCase, h host, listed func() int,
	connect func(i int) (net.Conn, error)) ([]net.Conn, error) {
	var hosts []net.Conn
	deadline := time.Now().Add(patience)
	for i := range c.players {
		conn, err := connect(i)
		if err != nil {
			return hosts, err
		}
		hosts = append(hosts, conn)
		if err := errors.Join(conn.SetDeadline(deadline), h(conn, c.player(i))); err != nil {
			return hosts, fmt.Errorf("host %d: %w", i, err)
		}
	}
	for listed() < c.players {
		select {
		case <-ctx.Done():
			return hosts, context.Cause(ctx)
		case <-time.After(time.Millisecond):
		}
		if time.Now().After(deadline) {
			return hosts, fmt.Errorf("%d of %d hosts are listed", listed(), c.players)
		}
	}
	return hosts, nil
}

func closeAll(conns []net.Conn) {
	for _, conn := range conns {
		conn.Close()
	}
}

// A hostConn is the socket of a host. It writes to the peer that it has last read from,
// at first to the master.
type hostConn struct {
	*net.UDPConn
	peer netip.AddrPort
}

func (c *hostConn) Read(b []byte) (n int, err error) {
	n, from, err := c.ReadFromUDPAddrPort(b)
	if err == nil {
		c.peer = from
	}
	return n, err
}

func (c *hostConn) Write(b []byte) (int, error) { return c.WriteToUDPAddrPort(b, c.peer) }
