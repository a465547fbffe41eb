// Package ban keeps banned addresses from sockets: their connections are closed
// as soon as they are accepted, and their datagrams dropped before anybody
// reads them, on Linux by the kernel.
package ban

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
)

// A Gate is before many sockets. Its zero value bans nobody.
type Gate struct {
	banned  atomic.Pointer[Set]
	refused atomic.Uint64

	mu      sync.Mutex
	current []Prefix
	filters []filter
}

// A filter is of a socket of which the kernel drops datagrams.
type filter interface {
	set(prefixes []Prefix) error
}

// Set says who is banned from now on. Connections that there are stay. The
// error is that the kernel does not take all prefixes, or no filter; datagrams
// of the rest come through then.
func (g *Gate) Set(prefixes []Prefix) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.current = prefixes
	g.banned.Store(NewSet(prefixes))
	var errs []error
	for _, f := range g.filters {
		errs = append(errs, f.set(prefixes))
	}
	return errors.Join(errs...)
}

// Banned reports whether an address is banned.
func (g *Gate) Banned(addr netip.Addr) bool {
	_, banned := g.banned.Load().Find(addr)
	return banned
}

// Refused returns how many connections were closed. What the kernel drops it
// does not tell.
func (g *Gate) Refused() uint64 { return g.refused.Load() }

// Listener returns l without the connections of those who are banned.
func (g *Gate) Listener(l net.Listener) net.Listener { return &listener{Listener: l, gate: g} }

type listener struct {
	net.Listener
	gate *Gate
}

func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil || !l.gate.bannedPeer(c.RemoteAddr()) {
			return c, err
		}
		l.gate.refused.Add(1)
		c.Close()
	}
}

// bannedPeer is Banned of the address of a peer, if it has one.
func (g *Gate) bannedPeer(a net.Addr) bool {
	peer, ok := a.(interface{ AddrPort() netip.AddrPort })
	return ok && g.Banned(peer.AddrPort().Addr())
}
