package warzone

import "net/netip"

// JoinPort returns the TCP port at which the game can be joined, and checked
// with an [AliveRequest].
func (m Game) JoinPort() uint16 {
	switch {
	case m.Layout.isRecord():
		return GamePortOf20
	case m.Version < Version4 || m.HostPort == 0:
		return GamePort
	}
	return m.HostPort
}

// JoinAddr returns where the game can be joined. The address is not valid if
// Host is empty or no IP address; clients then take that of the lobby.
func (m Game) JoinAddr() netip.AddrPort {
	a, err := netip.ParseAddr(m.Host)
	if err != nil || a.Zone() != "" {
		a = netip.Addr{}
	}
	return netip.AddrPortFrom(a.Unmap(), m.JoinPort())
}
