package targets

import (
	"math"
	"net/netip"
)

// Ports are the usual ports of a game or a protocol.
type Ports struct {
	Game   uint16 // game port; 0 if users give query ports
	Query  uint16 // query port; 0 if there is no usual one
	Offset int    // from the game port to the query port, unless fixed
	Fixed  bool   // the query port does not depend on the game port
}

// queryPorts returns the ports to query, at most two, the likelier one first. given is
// the port from the command line, or 0.
//
// With an offset, given is the game port, but it is also tried in case that it is the
// query port. With a fixed query port, given is the query port unless it is the usual
// game port.
func (p Ports) queryPorts(given uint16) []uint16 {
	switch {
	case given == 0 && p.Query == 0:
		return nil
	case given == 0:
		return []uint16{p.Query}
	case p.Fixed && given == p.Game && p.Query != given:
		return []uint16{p.Query, given}
	case !p.Fixed && p.Offset != 0:
		if with := int(given) + p.Offset; with > 0 && with <= math.MaxUint16 {
			return []uint16{uint16(with), given}
		}
	}
	return []uint16{given}
}

// GamePort returns the port of the game whose server answers queries at a port, 0 if it
// is unknown. given is the port from the command line, or 0.
func (p Ports) GamePort(query, given uint16) uint16 {
	switch game := int(query) - p.Offset; {
	case p.Game == 0 || p.Query == 0:
		return 0
	case p.Fixed && given != query:
		return given
	case p.Fixed || game < 0 || game > math.MaxUint16:
		return 0
	default:
		return uint16(game)
	}
}

// Candidates returns the addresses to query for a place with one port, the likeliest
// first.
func (p Ports) Candidates(addresses []netip.Addr, given uint16) []netip.AddrPort {
	var all []netip.AddrPort
	for _, port := range p.queryPorts(given) {
		for _, addr := range addresses {
			all = append(all, netip.AddrPortFrom(addr, port))
		}
	}
	return all
}
