package main

import (
	"context"
	"errors"
	"fmt"
	"net/netip"

	"github.com/spf13/cobra"
)

// A registrationPlace is a master at which a server registers.
type registrationPlace struct {
	addr string // host:port, or the URL of a lobby

	// addresses are those of the host, for protocols over UDP. Connections try all
	// addresses of a name themselves.
	addresses []netip.AddrPort
}

// registrationPlace returns where servers register with a master, with the usual port
// if it has none.
func (p protocol) registrationPlace(ctx context.Context, cmd *cobra.Command, master string) (at registrationPlace, err error) {
	p.listPort = 0
	at.addr, err = p.masterAddress(cmd, master)
	if err != nil || p.network == "tcp" {
		return at, err
	}
	where, err := parsePlace(at.addr)
	if err != nil {
		return at, err
	}
	addresses, err := where.addresses(ctx)
	if err != nil {
		return at, err
	}
	at.addresses = registrationAddresses(addresses, where.port)
	if len(at.addresses) == 0 {
		return at, fmt.Errorf("-register %s: no IPv4 address, and masters of %s list no others", at.addr, p.name)
	}
	return at, nil
}

// registrationAddresses returns the IPv4 addresses, because lists over UDP contain no
// others.
func registrationAddresses(addresses []netip.Addr, port uint16) (all []netip.AddrPort) {
	for _, addr := range addresses {
		if addr.Is4() {
			all = append(all, netip.AddrPortFrom(addr, port))
		}
	}
	return all
}

// runAll runs registrations at the same time, until the last one ends.
func runAll(ctx context.Context, all []func(ctx context.Context) error) (err error) {
	ended := make(chan error)
	for _, run := range all {
		go func() { ended <- run(ctx) }()
	}
	for range all {
		err = errors.Join(err, <-ended)
	}
	return err
}
