package targets

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

// ErrNoPort is the error for a place without a port if there is no usual one.
var ErrNoPort = errors.New("the port is missing: write HOST:PORT or [IPv6]:PORT")

// A Place is a host with consecutive ports, from a command line.
type Place struct {
	Host  string // IP address or name; for scans also a network such as 192.0.2.0/24
	Port  uint16 // the first; 0 if none is given
	Count int    // of ports
}

// ParsePlace reads HOST, HOST:PORT or HOST:FIRST-LAST. An IPv6 address as HOST needs
// brackets if a port follows.
func ParsePlace(s string) (Place, error) {
	p, err := parsePlace(s)
	if err == nil && p.isNetwork() {
		return Place{}, errors.New("it is a network, and only scan queries all addresses of one")
	}
	return p, err
}

// parsePlace reads a place, also one whose HOST is a network.
func parsePlace(s string) (Place, error) {
	host, ports, err := cli.SplitAddress(s)
	if err != nil {
		return Place{}, err
	}
	p := Place{Host: host, Count: 1}
	if ports != "" {
		p.Port, p.Count, err = parsePorts(ports)
	}
	switch {
	case err != nil:
		return Place{}, err
	case p.Host == "":
		return Place{}, errors.New("the host is missing; 127.0.0.1 is this machine")
	case strings.Contains(p.Host, "/") && !p.isNetwork():
		return Place{}, fmt.Errorf("%q is neither a host nor a network such as 192.0.2.0/24", p.Host)
	case cli.IsPort(p.Host):
		return Place{}, fmt.Errorf("%q is a port: write HOST:%s", p.Host, p.Host)
	}
	return p, nil
}

func parsePorts(s string) (first uint16, count int, err error) {
	from, to, isRange := strings.Cut(s, "-")
	if !isRange {
		to = from
	}
	a, errA := strconv.ParseUint(from, 10, 16)
	b, errB := strconv.ParseUint(to, 10, 16)
	if errA != nil || errB != nil || a == 0 || a > b {
		return 0, 0, fmt.Errorf("%q is neither a port from 1 to 65535 nor a range of ports such as 25600-25700", s)
	}
	return uint16(a), int(b-a) + 1, nil
}

// String returns the place in the form of net.Dial.
func (p Place) String() string { return net.JoinHostPort(p.Host, strconv.Itoa(int(p.Port))) }

// Addresses returns all addresses of the host, in the order to try them: as the system
// prefers them, with IPv6 and IPv4 in turn (RFC 8305).
func (p Place) Addresses(ctx context.Context) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(p.Host); err == nil {
		return []netip.Addr{addr.Unmap()}, nil
	}
	if network, err := netip.ParsePrefix(p.Host); err == nil {
		return addressesOf(network), nil
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", p.Host)
	if err != nil {
		return nil, err
	}
	return InTurn(found), nil
}

// InTurn returns addresses with the families in turn, IPv6 first, each once.
func InTurn(found []netip.Addr) []netip.Addr {
	var families [2][]netip.Addr
	known := map[netip.Addr]bool{}
	for _, addr := range found {
		addr = addr.Unmap()
		if known[addr] {
			continue
		}
		known[addr] = true
		family := 0
		if addr.Is4() {
			family = 1
		}
		families[family] = append(families[family], addr)
	}
	var all []netip.Addr
	for i := range max(len(families[0]), len(families[1])) {
		for _, family := range families {
			if i < len(family) {
				all = append(all, family[i])
			}
		}
	}
	return all
}

// URLMark distinguishes the URL of a lobby from host:port.
const URLMark = "://"

// IsURL reports whether the address of a master is a URL.
func IsURL(addr string) bool { return strings.Contains(addr, URLMark) }
