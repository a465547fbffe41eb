// Package ban keeps the bans of operators and enforces bans of addresses. A Ledger holds the bans,
// and a Gate protects sockets: it closes connections as soon as they are accepted, and drops
// datagrams before a server reads them; on Linux, the kernel drops them.
package ban

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
)

// A Gate protects many sockets. Its zero value bans nobody.
type Gate struct {
	banned  atomic.Pointer[Set]
	refused atomic.Uint64

	mu      sync.Mutex
	current []Prefix
	filters []filter
}

// A filter drops datagrams of a socket in the kernel.
type filter interface {
	set(prefixes []Prefix) error
}

// Set replaces the banned prefixes. Open connections stay open. It returns an error
// if the kernel accepts no filter, or not all prefixes; datagrams of the other
// prefixes are not dropped then.
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

// Refused returns the number of connections that were closed. It does not count
// datagrams that the kernel dropped.
func (g *Gate) Refused() uint64 { return g.refused.Load() }

// Listener returns l without the connections of banned addresses.
func (g *Gate) Listener(l net.Listener) net.Listener { return &listener{Listener: l, gate: g} }

type listener struct {
	net.Listener
	gate *Gate
}

func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil || !l.gate.BannedPeer(c.RemoteAddr()) {
			return c, err
		}
		l.gate.refused.Add(1)
		c.Close()
	}
}

// BannedPeer reports whether the address of a peer is banned.
func (g *Gate) BannedPeer(a net.Addr) bool {
	peer, ok := a.(interface{ AddrPort() netip.AddrPort })
	return ok && g.Banned(peer.AddrPort().Addr())
}
