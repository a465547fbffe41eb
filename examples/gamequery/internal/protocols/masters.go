package protocols

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
)

// MasterAddress returns the address of a master of the protocol. If it lacks a port, it
// gets the usual port, if there is one. A URL is returned unchanged.
func (p Protocol) MasterAddress(cmd *cobra.Command, s string) (string, error) {
	addr, err := p.ListAddress(s)
	if err != nil {
		return "", usage.Bad(cmd, "MASTER %q: %v", s, err)
	}
	return addr, nil
}

// ListAddress is MasterAddress without a command line.
func (p Protocol) ListAddress(s string) (string, error) {
	if targets.IsURL(s) {
		return WithScheme(s), nil
	}
	if p.Scheme != "" {
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

// RegistrationAddress returns the address at which servers register with a master, with the
// usual port if it has none.
func (p Protocol) RegistrationAddress(cmd *cobra.Command, master string) (string, error) {
	p.ListPort = 0
	addr, err := p.MasterAddress(cmd, master)
	if err != nil || p.Network == "tcp" {
		return addr, err
	}
	if at, err := netip.ParseAddrPort(addr); err == nil && !at.Addr().Unmap().Is4() {
		return "", fmt.Errorf("-register %s: no IPv4 address, and masters of %s list no others", addr, p.Name)
	}
	return addr, nil
}
