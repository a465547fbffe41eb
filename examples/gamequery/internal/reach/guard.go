// Package reach decides which addresses a service may query for strangers: hosts of the
// public internet, and no others unless its user allows them.
//
// A name is resolved once, its address is checked, and the socket is connected to this
// address. The dialer repeats the check right before the system call.
package reach

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
)

// A Guard opens sockets to allowed addresses only. Its zero value allows the public internet,
// without this machine. It must not be copied once it is used.
type Guard struct {
	// Allow are more prefixes that are allowed, such as 127.0.0.0/8.
	Allow []netip.Prefix

	// Interfaces returns the addresses of this machine; nil means [net.InterfaceAddrs].
	Interfaces func() ([]net.Addr, error)

	// Resolver resolves names; nil means the system's.
	Resolver Resolver

	own own
}

// A Resolver resolves names, as [net.Resolver] does.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// A ForbiddenError is the error for a host with an address that is not allowed.
type ForbiddenError struct{ Host string }

func (e *ForbiddenError) Error() string {
	return fmt.Sprintf("%s is not queried: its address is not public", e.Host)
}

// ErrPort is the error for a port of other services, whatever the address.
var ErrPort = errors.New("ports below 1024, and those of other services, are not queried")

// Allows reports whether an address may be queried.
func (g *Guard) Allows(a netip.Addr) bool {
	if slices.ContainsFunc(g.Allow, func(p netip.Prefix) bool { return p.Contains(bare(a).WithZone("")) }) {
		return true
	}
	interfaces := net.InterfaceAddrs
	if g.Interfaces != nil {
		interfaces = g.Interfaces
	}
	return a.Zone() == "" && lobbywire.IsPublic(a) && !g.own.has(bare(a), interfaces)
}

// nat64 has an IPv4 address in the last 4 bytes.
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

// bare returns the IPv4 address that an address contains, or the address itself.
func bare(a netip.Addr) netip.Addr {
	a = a.Unmap()
	if nat64.Contains(a) {
		b := a.As16()
		return netip.AddrFrom4([4]byte(b[12:]))
	}
	return a
}

// Addresses returns the addresses of a host, in the order to try them. A name with one
// forbidden address is refused: public hosts have no such names.
func (g *Guard) Addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	all, err := g.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	for _, a := range all {
		if !g.Allows(a) {
			return nil, &ForbiddenError{host}
		}
	}
	return all, nil
}

func (g *Guard) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a.Unmap()}, nil
	}
	if endsInNumber(host) {
		return nil, &net.DNSError{Err: "neither an address nor a name", Name: host, IsNotFound: true}
	}
	var resolver Resolver = net.DefaultResolver
	if g.Resolver != nil {
		resolver = g.Resolver
	}
	found, err := resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	return targets.InTurn(found), nil
}

// LookupSRV looks up records of a name as [net.Resolver.LookupSRV] does. Their targets are not
// checked.
func (g *Guard) LookupSRV(ctx context.Context, service, proto, name string) (string, []*net.SRV, error) {
	resolver, ok := g.Resolver.(interface {
		LookupSRV(ctx context.Context, service, proto, name string) (string, []*net.SRV, error)
	})
	switch {
	case g.Resolver == nil:
		resolver = net.DefaultResolver
	case !ok:
		return "", nil, &net.DNSError{Err: "no records", Name: name, IsNotFound: true}
	}
	return resolver.LookupSRV(ctx, service, proto, name)
}

// endsInNumber reports whether the last label of a host is a number, as in 2130706433,
// 0177.0.0.1 and 0x7f.1. No name ends like this, but some systems read it as an IPv4
// address.
func endsInNumber(host string) bool {
	host = strings.TrimSuffix(host, ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	_, err := strconv.ParseUint(last, 0, 64)
	_, decimal := strconv.ParseUint(last, 10, 64)
	return err == nil || decimal == nil || errors.Is(err, strconv.ErrRange)
}

// Sockets returns sockets for clients that reach allowed addresses only.
func (g *Guard) Sockets() tap.Sockets {
	return tap.Sockets{Dial: g.dial, Listen: refuseToListen}
}

// refuseToListen keeps clients from sockets that can send to any address.
func refuseToListen(context.Context) (net.PacketConn, error) {
	return nil, errors.New("no sockets for several addresses here")
}

// dial connects to the first address of a host that can be connected to.
func (g *Guard) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	addresses, err := g.Addresses(ctx, host)
	if err != nil {
		return nil, err
	}
	d := net.Dialer{ControlContext: g.control}
	var first error
	for _, a := range addresses {
		conn, err := d.DialContext(ctx, network, net.JoinHostPort(a.String(), port))
		if err == nil {
			return conn, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// control checks the address of a socket before it is connected. Lobbies over HTTP use the
// ports of the web.
func (g *Guard) control(_ context.Context, network, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	web := strings.HasPrefix(network, "tcp") && (at.Port() == 80 || at.Port() == 443)
	switch {
	case !g.Allows(at.Addr()):
		return &ForbiddenError{at.Addr().String()}
	case lobbywire.IsServicePort(at.Port()) && !web:
		return ErrPort
	}
	return nil
}
