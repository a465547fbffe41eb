package targets

import (
	"context"
	"math"
	"net"
	"net/netip"
	"strings"
	"time"
)

// Ports are the usual ports of a game or a protocol.
type Ports struct {
	Game   uint16 // game port; 0 if users give query ports
	Query  uint16 // query port; 0 if there is no usual one
	Offset int    // from the game port to the query port, unless fixed
	Fixed  bool   // the query port does not depend on the game port
	SRV    string // service of the records that have the host and the game port of a name; "" if there are none
}

// A LookupSRV looks up records as [net.Resolver.LookupSRV] does.
type LookupSRV func(ctx context.Context, service, proto, name string) (string, []*net.SRV, error)

// srvTime limits the lookup of a record, which most names lack.
const srvTime = 3 * time.Second

// Locate returns the place that a record names for a name without a port, as the game looks it up,
// or else the place itself.
func (p Ports) Locate(ctx context.Context, at Place, lookup LookupSRV) Place {
	if _, err := netip.ParseAddr(at.Host); p.SRV == "" || at.Port != 0 || err == nil {
		return at
	}
	ctx, cancel := context.WithTimeout(ctx, srvTime)
	defer cancel()
	_, all, err := lookup(ctx, p.SRV, "tcp", at.Host)
	if err != nil || len(all) == 0 || all[0].Port == 0 || all[0].Target == "." {
		return at
	}
	return Place{Host: strings.TrimSuffix(all[0].Target, "."), Port: all[0].Port, Count: 1}
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
