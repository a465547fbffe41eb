package main

import (
	"errors"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
)

// loss is the share of datagrams that a proxy drops in each direction.
const loss = 0.05

// A proxy passes datagrams between clients and a server on this machine, and drops
// some of them. Its seed decides which.
type proxy struct {
	server netip.AddrPort
	conn   *net.UDPConn

	passing sync.WaitGroup
	mu      sync.Mutex
	clients map[netip.AddrPort]*net.UDPConn // their connections to the server
	there   *rand.Rand
	back    *rand.Rand
}

// startProxy starts a proxy on a port of its own.
func startProxy(server netip.AddrPort, seed uint64) (*proxy, error) {
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	p := &proxy{
		server: server, conn: conn, clients: map[netip.AddrPort]*net.UDPConn{},
		there: rand.New(rand.NewPCG(seed, 1)), back: rand.New(rand.NewPCG(seed, 2)),
	}
	p.passing.Go(p.passRequests)
	return p, nil
}

func (p *proxy) addr() string { return p.conn.LocalAddr().String() }

// close ends the proxy.
func (p *proxy) close() {
	p.conn.Close()
	p.mu.Lock()
	for _, c := range p.clients {
		c.Close()
	}
	p.mu.Unlock()
	p.passing.Wait()
}

// drops decides about the next datagram of a direction.
func (p *proxy) drops(direction *rand.Rand) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return direction.Float64() < loss
}

func (p *proxy) passRequests() {
	buf := make([]byte, 1<<16)
	for {
		n, from, err := p.conn.ReadFromUDPAddrPort(buf)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil || p.drops(p.there) {
			continue
		}
		if c, err := p.connection(from); err == nil {
			c.Write(buf[:n])
		}
	}
}

// connection returns the connection to the server of a client.
func (p *proxy) connection(client netip.AddrPort) (*net.UDPConn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c, ok := p.clients[client]; ok {
		return c, nil
	}
	c, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(p.server))
	if err != nil {
		return nil, err
	}
	p.clients[client] = c
	p.passing.Go(func() { p.passAnswers(c, client) })
	return c, nil
}

func (p *proxy) passAnswers(c *net.UDPConn, client netip.AddrPort) {
	buf := make([]byte, 1<<16)
	for {
		n, err := c.Read(buf)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil && !p.drops(p.back) {
			p.conn.WriteToUDPAddrPort(buf[:n], client)
		}
	}
}
