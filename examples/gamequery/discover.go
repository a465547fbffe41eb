package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire"
)

// everybody is the address that is queried if no ADDRESS is given.
const everybody = "255.255.255.255"

var errNobody = fmt.Errorf("nobody answered: %w; check the port, or give it a longer -timeout", lobbywire.ErrTimeout)

func newDiscoverCommand(via sockets) *cobra.Command {
	s := scanner{asking: asking{sockets: via}}
	var browse bool
	cmd := &cobra.Command{
		Use:   "discover [flags] gamespy2|GAME [ADDRESS...]",
		Short: "Find servers on the local network",
		Long: `Discover sends an echo request to broadcast addresses, as games do, and prints
the addresses of the servers that answer within -timeout, one per line.

An ADDRESS has the form of a TARGET of scan, such as 192.168.1.255:29900-29910.
The default is ` + everybody + `, all machines on the local network. The default
port is the usual query port of the GAME, or that of Battlefield 2 for gamespy2.`,
		Example: `  gamequery discover gamespy2
  gamequery discover -browse gamespy2 192.168.1.255:29900-29910`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return badUsage(cmd, "want a PROTOCOL")
			}
			var err error
			s.protocol, err = protocolOf(cmd, args[0], discoveries())
			return err
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check(cmd, s.protocol.asks); err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			addresses := args[1:]
			if len(addresses) == 0 {
				addresses = []string{everybody}
			}
			broadcasts, err := allAddresses(ctx, addresses, s.protocol.ports)
			if err != nil {
				return err
			}
			return s.to(cmd, func() error {
				found := s.protocol.discover(ctx, s.asking, broadcasts)
				if !browse {
					return s.printDiscovered(cmd.OutOrStdout(), found)
				}
				err := s.run(ctx, newFeed(ctx, found), cmd.OutOrStdout(), cmd.ErrOrStderr())
				if errors.Is(err, errNoTarget) {
					return errNobody
				}
				return err
			})
		},
		ValidArgsFunction:     discoveries().complete,
		DisableFlagsInUseLine: true,
	}
	s.asking.addFlags(cmd.Flags())
	s.output.addFlags(cmd.Flags(), "print one line of JSON for each server")
	s.addListFlags(cmd.Flags())
	cmd.Flags().BoolVar(&browse, "browse", false, "query the servers, and print them as scan does")
	return cmd
}

// allAddresses returns every address of targets.
func allAddresses(ctx context.Context, args []string, ports ports) ([]netip.AddrPort, error) {
	var all []netip.AddrPort
	for _, arg := range args {
		targets, err := parseTargets(ctx, arg, ports)
		if err != nil {
			return nil, err
		}
		for _, t := range targets {
			for i := range t.count {
				all = append(all, netip.AddrPortFrom(t.addr, t.port+uint16(i)))
			}
		}
	}
	return all, nil
}

// discoverGameSpy2 yields the servers that answer broadcasts.
func discoverGameSpy2(ctx context.Context, a asking, broadcasts []netip.AddrPort) targetSource {
	return func(yield func(target, error) bool) {
		for addr, err := range gamespy2Client(a).Discover(ctx, broadcasts...) {
			var t target
			if err == nil {
				t = targetAt(addr)
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// printDiscovered prints servers as they are found, unless they are sorted.
func (s *scanner) printDiscovered(stdout io.Writer, found targetSource) error {
	out := s.newPrinter(stdout, addressLayout(true))
	for t, err := range found {
		if err == nil {
			err = out.add(answer{protocol: s.protocol.name, query: netip.AddrPortFrom(t.addr, t.port)})
		}
		if err == nil {
			err = out.w.Flush()
		}
		if err != nil {
			return err
		}
	}
	if out.added == 0 {
		return errNobody
	}
	return out.end()
}
