package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
)

// everybody is the address that is queried if no ADDRESS is given.
const everybody = "255.255.255.255"

var errNobody = fmt.Errorf("nobody answered: %w; check the port, or give it a longer -timeout", lobbywire.ErrTimeout)

func newDiscoverCommand(via tap.Sockets) *cobra.Command {
	s := scanner{Settings: protocols.Settings{Sockets: via}}
	var browse bool
	cmd := &cobra.Command{
		Use:   "discover [flags] gamespy2|GAME [ADDRESS...]",
		Short: "Find servers on the local network",
		Long: `Discover sends an echo request to broadcast addresses, as games do, and prints
the addresses of the servers that answer within -timeout, one per line.

An ADDRESS has the form of a TARGET of scan, such as 192.168.1.255:29900-29910.
The default is ` + everybody + `, all machines on the local network. The default
port is the usual query port of the GAME; for gamespy2, the port of
Battlefield 2.`,
		Example: `  gamequery discover gamespy2
  gamequery discover -browse gamespy2 192.168.1.255:29900-29910`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage.Bad(cmd, "want a PROTOCOL")
			}
			var err error
			s.protocol, err = protocols.Of(cmd, args[0], protocols.Discoveries())
			return err
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if !browse && cmd.Flags().Changed("ask") {
				return usage.Bad(cmd, "-ask needs -browse: without it, no server is queried")
			}
			if err := s.check(cmd, s.protocol.Asks); err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			addresses := args[1:]
			if len(addresses) == 0 {
				addresses = []string{everybody}
			}
			broadcasts, err := allAddresses(ctx, addresses, s.protocol.Ports)
			if err != nil {
				return err
			}
			return s.To(cmd, s.protocol.Name, func() error {
				found := s.protocol.Discover(ctx, s.Settings, broadcasts)
				if !browse {
					return s.printDiscovered(cmd.OutOrStdout(), found)
				}
				err := s.run(ctx, targets.NewFeed(ctx, found), cmd.OutOrStdout(), cmd.ErrOrStderr())
				if errors.Is(err, errNoTarget) {
					return errNobody
				}
				return err
			})
		},
		ValidArgsFunction:     protocols.Discoveries().Complete,
		DisableFlagsInUseLine: true,
	}
	s.Settings.AddFlags(cmd.Flags())
	s.Settings.AddAskFlag(cmd.Flags(), protocols.AskGameSpy2)
	s.Flags.AddFlags(cmd.Flags(), "print one line of JSON for each server")
	s.AddListFlags(cmd.Flags())
	cmd.Flags().BoolVar(&browse, "browse", false, "query the servers, and print them as scan does")
	return cmd
}

// allAddresses returns every address of targets.
func allAddresses(ctx context.Context, args []string, ports targets.Ports) ([]netip.AddrPort, error) {
	var all []netip.AddrPort
	for _, arg := range args {
		if _, err := targets.ParsePlace(arg); err != nil {
			return nil, targets.Bad(arg, err.Error()) // a network too: its last address is for broadcasts
		}
		targets, err := targets.Parse(ctx, arg, ports)
		if err != nil {
			return nil, err
		}
		for _, t := range targets {
			for i := range t.Count {
				all = append(all, netip.AddrPortFrom(t.Addr, t.Port+uint16(i)))
			}
		}
	}
	return all, nil
}

// printDiscovered prints servers as they are found, unless they are sorted.
func (s *scanner) printDiscovered(stdout io.Writer, found targets.Source) error {
	out := s.NewPrinter(stdout, addressLayout(true))
	for t, err := range found {
		if err == nil {
			err = out.Add(output.Answer{Protocol: s.protocol.Name, Query: netip.AddrPortFrom(t.Addr, t.Port)})
		}
		if err == nil {
			err = out.W.Flush()
		}
		if err != nil {
			return err
		}
	}
	if out.Added == 0 {
		return errNobody
	}
	return out.End()
}
