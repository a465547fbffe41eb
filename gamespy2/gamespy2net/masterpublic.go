package gamespy2net

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/registry"
)

// listable reports whether a server that sends from an address can be listed.
func listable(from netip.AddrPort) bool { return from.Addr().Is4() && from.Port() > 0 }

// public returns the address of a server in lists.
func (m *Master) public(at netip.AddrPort) netip.AddrPort {
	return registry.Public(m.Public, at, listable)
}

// keepMapped keeps the address of a listed server, so that clients find it by its public one.
func (m *Master) keepMapped(t *locked, public, at netip.AddrPort) {
	if public == at {
		return
	}
	if m.mapped == nil {
		m.mapped = make(map[netip.AddrPort]netip.AddrPort)
	}
	m.mapped[public] = at
}

// forgetMapped undoes keepMapped, unless another server has taken the public address.
func (m *Master) forgetMapped(t *locked, public, at netip.AddrPort) {
	if m.mapped[public] == at {
		delete(m.mapped, public)
	}
}

// listedAt returns the server with a public address in the list of a game, and the address
// that it registered from.
func (m *Master) listedAt(g *gameTable, public netip.AddrPort) (s registered, at netip.AddrPort, ok bool) {
	m.servers.Do(time.Now(), func(t *locked) { s, at, ok = m.findListed(t, g, public) })
	return s, at, ok
}

// findListed is listedAt while the servers are locked.
func (m *Master) findListed(t *locked, g *gameTable, public netip.AddrPort) (s registered, at netip.AddrPort, ok bool) {
	at, isMapped := m.mapped[public]
	if !isMapped {
		at = public
	}
	i, known := t.Find(at)
	if !known || t.State(i) != registry.Listed || t.Value(i).game != g {
		return registered{}, at, false
	}
	return *t.Value(i), at, true
}
