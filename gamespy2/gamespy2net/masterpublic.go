package gamespy2net

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/registry"
)

// public returns the address of a server in lists.
func (m *Master) public(at netip.AddrPort) netip.AddrPort {
	return registry.Public(m.Public, at, listable)
}

// mapLocked keeps the address of a listed server, so that clients find it by its public one.
func (m *Master) mapLocked(public, at netip.AddrPort) {
	if public == at {
		return
	}
	if m.mapped == nil {
		m.mapped = make(map[netip.AddrPort]netip.AddrPort)
	}
	m.mapped[public] = at
}

// unmapLocked undoes mapLocked, unless another server has taken the public address.
func (m *Master) unmapLocked(public, at netip.AddrPort) {
	if m.mapped[public] == at {
		delete(m.mapped, public)
	}
}
