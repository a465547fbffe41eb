package main

import (
	"context"
	"errors"
	"fmt"
	"net/netip"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check/masters"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/verdict"
)

// runMaster checks a master over UDP. The arguments are its ADDRESS and LIST, if any.
func (c *checking) runMaster(cmd *cobra.Command, protocol string, args []string) error {
	p, err := protocols.Of(cmd, protocol, protocols.Checkables())
	if err != nil {
		return err
	}
	game := c.game
	if p.Name == "gamespy2" {
		game = game.OrSample()
	}
	suite := masters.Suite(p.Name, masters.Game{Name: game.Game, Key: game.Key})
	switch {
	case suite == nil && masters.LobbySuite(p.Name) != nil:
		return usage.Bad(cmd, "-master is for gamespy2 and gameagent; without it, masters of %s are checked", p.Name)
	case suite == nil:
		return usage.Bad(cmd, "-master is for gamespy2 and gameagent")
	case c.listen || c.set != "" || c.expect != "":
		return usage.Bad(cmd, "-master has no -listen, -set or -expect: its cases register servers themselves")
	}
	if err := errors.Join(checkRegistered(c.game, cmd, p), c.Settings.Check(cmd, p, p.Asks)); err != nil {
		return err
	}
	if !suite.Any(c.Options) {
		return usage.Bad(cmd, "-case %q: no case of %s matches; -robust adds others", c.Match, suite.Protocol)
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	servers, lists, err := masterAddresses(ctx, cmd, p, args)
	if err != nil {
		return err
	}
	network := check.NewMasterNetwork(ctx, suite, servers, lists, c.Timeout)
	defer network.Close()
	first := check.Options{Match: []string{"*/1.1", "*/1.2"}} // cases with requests that must be answered
	if r := suite.Run(ctx, network, first); r.Received == 0 {
		err := fmt.Errorf("no answer from a master of %q at %s: %w", game.Game, servers, lobbywire.ErrTimeout)
		return c.down(check.NewDocument(suite), err)
	}
	c.warn(cmd, servers)
	found := verdict.Finding{Answer: output.Answer{Protocol: suite.Protocol, Query: servers}}
	return c.judge(ctx, cmd, suite, found, network.Network, network)
}

// masterAddresses returns where servers register with a master, and where its lists are,
// which is not valid if it is unknown.
func masterAddresses(ctx context.Context, cmd *cobra.Command, p protocols.Protocol, args []string,
) (servers, lists netip.AddrPort, err error) {
	registration := p
	registration.ListPort = 0
	servers, err = masterAddress(ctx, cmd, registration, args[0])
	if err != nil {
		return servers, lists, err
	}
	switch {
	case len(args) > 1:
		lists, err = masterAddress(ctx, cmd, p, args[1])
	case p.ListPort != 0:
		lists = netip.AddrPortFrom(servers.Addr(), p.ListPort)
	}
	return servers, lists, err
}

// masterAddress returns the IPv4 address of a master. Its lists contain no others.
func masterAddress(ctx context.Context, cmd *cobra.Command, p protocols.Protocol, s string) (netip.AddrPort, error) {
	at, err := portOf(p, s)
	if err != nil {
		return netip.AddrPort{}, usage.Bad(cmd, "ADDRESS %q: %v", s, err)
	}
	all, err := at.Addresses(ctx)
	if err != nil {
		return netip.AddrPort{}, err
	}
	for _, a := range all {
		if a.Is4() {
			return netip.AddrPortFrom(a, at.Port), nil
		}
	}
	return netip.AddrPort{}, fmt.Errorf("%s has no IPv4 address, and masters of %s list no others", s, p.Name)
}
