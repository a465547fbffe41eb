package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
)

func newBrowseCommand(via tap.Sockets) *cobra.Command {
	l := lister{scanner: scanner{Settings: protocols.Settings{Sockets: via}}}
	cmd := &cobra.Command{
		Use:   "browse [flags] PROTOCOL|GAME MASTER",
		Short: "Query all servers that a master lists",
		Long: `Browse fetches the list of a master, queries its servers and prints the
servers that answer, as scan does.

A list cannot make it query others: it leaves out private addresses on a list
from elsewhere, addresses for multicast and broadcast, ports of other services,
such as all below 1024, and more than 64 servers of one address. The last line
on standard error counts them and entries that cannot be read, and with -json so
does a line whose error has the code skipped. If the list breaks off, or is cut
at a limit, the exit code is 1.

PROTOCOL is gameagent or gamespy2. The lists of other protocols describe the
games themselves; use list to print them. MASTER is HOST:PORT, or HOST if it has
the usual port. Lists of gamespy2 need the name of a game and its secret key.`,
		Example: `  gamequery browse gameagent 127.0.0.1:9005
  gamequery browse -json -timeout 500ms gameagent master.example.org:9005
  gamequery browse -game gmtest -key HA6zkS gamespy2 127.0.0.1:28910
  gamequery browse -legacy serioussamse -ask legacy gameagent 127.0.0.1:28900`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if err := notBrowsed(args[0]); err != nil {
					return err
				}
			}
			return l.take(cmd, args, protocols.Browsables())
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return l.printFrom(cmd, args[1],
				func(ctx context.Context, master string) error { return l.browse(ctx, cmd, master) })
		},
		ValidArgsFunction:     protocols.Browsables().Complete,
		DisableFlagsInUseLine: true,
	}
	l.addFlags(cmd.Flags())
	l.AddAskFlag(cmd.Flags(), protocols.AskMany)
	return cmd
}

// notBrowsed returns an error for a protocol that lacks lists or queries. It suggests
// another command.
func notBrowsed(name string) error {
	p, ok := protocols.Named(name)
	switch {
	case !ok:
		return nil
	case p.Master == nil:
		return &usage.Error{
			Problem: p.Name + " has no master that lists its servers",
			Advice:  fmt.Sprintf("Name the servers: \"gamequery scan %s TARGET...\" queries them.", name),
		}
	case p.Query == nil:
		return &usage.Error{
			Problem: p.Name + " has no queries: its list describes the games",
			Advice:  fmt.Sprintf("\"gamequery list %s MASTER\" prints it.", name),
		}
	}
	return nil
}

// browse scans the servers in the list of a master.
func (l *lister) browse(ctx context.Context, cmd *cobra.Command, master string) error {
	if err := l.checkFilter(cmd); err != nil {
		return err
	}
	all, listed, err := l.targets(ctx, cmd, master)
	switch {
	case err != nil:
		return err
	case listed == 0 && l.partial:
		return output.ErrPartial
	case listed == 0:
		return nil
	}
	err = l.run(ctx, targets.NewFeed(ctx, targets.Each(all)), cmd.OutOrStdout(), cmd.ErrOrStderr())
	if errors.Is(err, errNoTarget) {
		return errors.New("no server in the list can be queried; list prints their addresses")
	}
	return err
}
