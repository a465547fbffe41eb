package warzone

import "net/netip"

// JoinPort returns the TCP port of the game, for joining it and for an
// [AliveRequest]. A game of 112 bytes names none: clients 2.0 and 2.1 use
// [GamePortOf20], and builds between 10 April 2009 and 2.2 use [GamePort] with the
// same layout. JoinPort returns the former.
func (m Game) JoinPort() uint16 {
	switch {
	case m.Layout.isRecord():
		return GamePortOf20
	case m.Version < Version4 || m.HostPort == 0:
		return GamePort
	}
	return m.HostPort
}

// JoinAddr returns the TCP address of the game. It is not valid if Host is empty
// or not an IP address; clients then use the address of the lobby.
func (m Game) JoinAddr() netip.AddrPort {
	a, err := netip.ParseAddr(m.Host)
	if err != nil || a.Zone() != "" {
		a = netip.Addr{}
	}
	return netip.AddrPortFrom(a.Unmap(), m.JoinPort())
}
