package main

import (
	"math"
	"net/netip"
)

// ports are the ports of a game, or of a protocol, that its users do not have to
// give.
type ports struct {
	game   uint16 // where players join; 0 if a port that is given is that of queries
	query  uint16 // where servers answer queries; 0 if there is no usual one
	offset int    // from the port of a game to that of its queries, unless fixed
	fixed  bool   // queries have a port of their own, whatever that of the game
}

// queryPorts returns the ports at which to try queries, the likeliest first, if a
// port is given, or 0. There are two at most.
//
// With an offset, a given port is that of the game. It is tried itself as well, in
// case that it is that of queries. With a fixed port for queries a given port is
// that, unless it is the usual one of the game.
func (p ports) queryPorts(given uint16) []uint16 {
	switch {
	case given == 0 && p.query == 0:
		return nil
	case given == 0:
		return []uint16{p.query}
	case p.fixed && given == p.game && p.query != given:
		return []uint16{p.query, given}
	case !p.fixed && p.offset != 0:
		if with := int(given) + p.offset; with > 0 && with <= math.MaxUint16 {
			return []uint16{uint16(with), given}
		}
	}
	return []uint16{given}
}

// candidates returns where to try queries for a place with one port, the likeliest
// first.
func (p ports) candidates(addresses []netip.Addr, given uint16) []netip.AddrPort {
	var all []netip.AddrPort
	for _, port := range p.queryPorts(given) {
		for _, addr := range addresses {
			all = append(all, netip.AddrPortFrom(addr, port))
		}
	}
	return all
}
