package protocols

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
)

// MasterAddress returns the address of a master of the protocol, with the usual port,
// if there is one, for one that has none. A URL is returned as it is.
func (p Protocol) MasterAddress(cmd *cobra.Command, s string) (string, error) {
	addr, err := p.ListAddress(s)
	if err != nil {
		return "", usage.Bad(cmd, "MASTER %q: %v", s, err)
	}
	return addr, nil
}

// ListAddress is MasterAddress without a command line.
func (p Protocol) ListAddress(s string) (string, error) {
	if targets.IsURL(s) || p.Scheme != "" {
		return s, nil
	}
	at, err := targets.ParsePlace(s)
	if at.Port == 0 {
		at.Port = cmp.Or(p.ListPort, p.masterPort)
	}
	switch {
	case err != nil:
		return "", err
	case at.Port == 0:
		return "", targets.ErrNoPort
	case at.Count > 1:
		return "", errors.New("want one port")
	}
	return at.String(), nil
}

// RegistrationPlace returns where servers register with a master, with the usual port
// if it has none.
func (p Protocol) RegistrationPlace(ctx context.Context, cmd *cobra.Command,
	master string) (at servers.Master, err error) {
	p.ListPort = 0
	at.Addr, err = p.MasterAddress(cmd, master)
	if err != nil || p.Network == "tcp" {
		return at, err
	}
	where, err := targets.ParsePlace(at.Addr)
	if err != nil {
		return at, err
	}
	addresses, err := where.Addresses(ctx)
	if err != nil {
		return at, err
	}
	at.Addresses = registrationAddresses(addresses, where.Port)
	if len(at.Addresses) == 0 {
		return at, fmt.Errorf("-register %s: no IPv4 address, and masters of %s list no others", at.Addr, p.Name)
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
