// Package reach decides which addresses a service may query for strangers: hosts of the
// public internet, and no others unless its user allows them.
//
// A name is resolved once. What is checked is an address, and the socket is connected to
// this address; the check is repeated in the dialer, right before the system call.
package reach

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"syscall"

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

// Allows reports whether an address may be queried.
func (g *Guard) Allows(a netip.Addr) bool {
	if contains(g.Allow, bare(a)) {
		return true
	}
	interfaces := net.InterfaceAddrs
	if g.Interfaces != nil {
		interfaces = g.Interfaces
	}
	return isPublic(a) && !g.own.has(bare(a), interfaces)
}

// Addresses returns the addresses of a host, in the order in which to try them. A name with
// one forbidden address is refused: public hosts have no such names.
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

// endsInNumber reports whether the last label of a host is a number, such as those of
// 2130706433, 0177.0.0.1 and 0x7f.1. No name ends like this, but some systems read it as
// an IPv4 address.
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

// control checks the address of a socket before it is connected.
func (g *Guard) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if !g.Allows(at.Addr()) {
		return &ForbiddenError{at.Addr().String()}
	}
	return nil
}
