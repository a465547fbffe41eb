package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/netip"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
	"github.com/lobbywire/lobbywire/gameagent"
)

// A lister holds the settings of list and browse.
type lister struct {
	scanner
	queries  bool
	legacy   string
	key      string // for legacy and gamespy2
	gamespy2 gamespy2Query
	join     string // ID of the game whose address to request
}

func newListCommand(via tap.Sockets) *cobra.Command {
	l := lister{scanner: scanner{Settings: protocols.Settings{Sockets: via}}}
	cmd := &cobra.Command{
		Use:   "list [flags] PROTOCOL|GAME MASTER",
		Short: "Print the games that a master lists",
		Long: `List prints the games that a master lists, one on each line.

PROTOCOL is gameagent, whose lists contain only addresses, or gamespy2,
bomberman, warzone, wzhttp, wztext, wzbinary or wzjson, whose lists describe the
games. A GAME of these can be used instead. MASTER is HOST:PORT, or HOST if it
has the usual port; for warzone and wzhttp it may be the URL of an HTTP lobby.
For gameagent the addresses have game ports; query ports are higher by one.
Lists of gamespy2 need the name of a game and its secret key.

Entries that cannot be read are left out and counted on standard error, and
with -json by a line whose error has the code skipped. If a list breaks off, or
is cut at a limit, its servers are printed, and the exit code is 1.`,
		Example: `  gamequery list warzone 127.0.0.1:9990
  gamequery list warzone https://lobby.example/x
  gamequery list -json bomberman 127.0.0.1
  gamequery list gameagent -queries 127.0.0.1:9005
  gamequery list gameagent -legacy serioussamse 127.0.0.1:28900
  gamequery list gamespy2 -game gmtest -key HA6zkS 127.0.0.1:28910`,
		Args: func(cmd *cobra.Command, args []string) error { return l.take(cmd, args, protocols.Masters()) },
		RunE: func(cmd *cobra.Command, args []string) error {
			return l.printFrom(cmd, args[1],
				func(ctx context.Context, master string) error { return l.list(ctx, cmd, master) })
		},
		ValidArgsFunction:     protocols.Masters().Complete,
		DisableFlagsInUseLine: true,
	}
	l.addFlags(cmd.Flags())
	cmd.Flags().BoolVar(&l.queries, "queries", false,
		"for gameagent and gamespy2, print the query addresses, as TARGETs for scan")
	cmd.Flags().StringVar(&l.join, "join", "",
		"for warzone and wzhttp, request from an HTTP lobby where players join the game with this `ID`")
	return cmd
}

// printFrom checks the flags and lets do print the servers of a MASTER.
func (l *lister) printFrom(cmd *cobra.Command, master string, do func(ctx context.Context, master string) error) error {
	if err := l.check(cmd); err != nil {
		return err
	}
	if err := l.checkJoin(cmd, master); err != nil {
		return err
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	master, err := l.master(cmd, master)
	if err != nil {
		return err
	}
	return l.To(cmd, l.protocol.Name, func() error { return from(master, do(ctx, master)) })
}

// from adds the address of a master to an error, unless it is about the command line, or
// about a connection to this address.
func from(master string, err error) error {
	_, isUsage := errors.AsType[*usage.Error](err)
	op, isOp := errors.AsType[*net.OpError](err)
	if err == nil || isUsage || isOp && op.Addr != nil && op.Addr.String() == master {
		return err
	}
	return fmt.Errorf("%s: %w", master, err)
}

// list prints the list of a master.
func (l *lister) list(ctx context.Context, cmd *cobra.Command, addr string) error {
	switch {
	case l.protocol.Games != nil:
		return listGames(ctx, cmd, l, addr)
	case l.protocol.Name == "gamespy2":
		return listGameSpy2(ctx, cmd, l, addr)
	}
	return listGameAgent(ctx, cmd, l, addr)
}

// checkJoin checks the flag join for a master.
func (l *lister) checkJoin(cmd *cobra.Command, master string) error {
	isHTTP := l.protocol.Scheme != "" || l.protocol.Name == "warzone" && targets.IsURL(master)
	if l.join != "" && !isHTTP {
		return usage.Bad(cmd, "-join is for the URL of a lobby of warzone or wzhttp only")
	}
	return nil
}

// take reads the arguments PROTOCOL MASTER.
func (l *lister) take(cmd *cobra.Command, args []string, r protocols.Role) (err error) {
	if len(args) != 2 {
		return usage.Bad(cmd, "want a PROTOCOL and a MASTER")
	}
	l.protocol, err = protocols.Of(cmd, args[0], r)
	return err
}

// addFlags adds the flags of list and browse.
func (l *lister) addFlags(flags *pflag.FlagSet) {
	l.Settings.AddFlags(flags)
	l.Flags.AddFlags(flags, "print one line of JSON for each server")
	l.AddListFlags(flags)
	l.gamespy2.addFlags(flags)
	flags.StringVar(&l.legacy, "legacy", "",
		"for gameagent, fetch the servers of this `GAME`, such as serioussamse, from a legacy master over TCP")
	flags.StringVar(&l.key, "key", "",
		"for gamespy2 and -legacy, the secret `KEY` of the game; the default for -legacy is the key of Serious Sam")
}

func (l *lister) check(cmd *cobra.Command) error {
	if l.protocol.Query == nil {
		for _, name := range []string{"queries", "legacy", "key", "attempts"} {
			if cmd.Flags().Changed(name) {
				return usage.Bad(cmd, "-%s is not for %s", name, l.protocol.Name)
			}
		}
	}
	if l.legacy != "" && l.protocol.Name != "gameagent" {
		return usage.Bad(cmd, "-legacy is not for %s", l.protocol.Name)
	}
	if l.key != "" && l.protocol.Name == "gameagent" && l.legacy == "" {
		return usage.Bad(cmd, "-key is for lists of -legacy GAME")
	}
	if err := l.gamespy2.check(cmd, l.protocol, l.key); err != nil {
		return err
	}
	return l.scanner.check(cmd, protocols.ScanAsks(l.protocol))
}

// master returns the address of the MASTER s, with the usual port if it has none.
func (l *lister) master(cmd *cobra.Command, s string) (string, error) {
	p := l.protocol
	if l.legacy != "" {
		p.ListPort = traffic.Port("gameagent", traffic.List)
	}
	return p.MasterAddress(cmd, s)
}

func listGameAgent(ctx context.Context, cmd *cobra.Command, l *lister, addr string) error {
	listing, err := l.addresses(ctx, cmd, addr)
	if err != nil {
		return err
	}
	all := listedAddresses(listing.Servers)
	l.left.Unreadable = listing.Skipped
	if l.queries {
		targets, left := listing.Targets(ctx)
		all, l.left = queried(all, targets), left
		if ctx.Err() != nil {
			return output.ErrInterrupted
		}
	}
	return l.printAll(cmd, addressLayout(l.queries), all)
}

// printAll prints the servers of a list, and what is missing. It returns ErrPartial if more may
// be missing.
func (l *lister) printAll(cmd *cobra.Command, layout output.Layout, all []output.Answer) error {
	if l.left.Total() > 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), l.left.String())
	}
	err := l.PrintAll(cmd.OutOrStdout(), layout, all)
	if l.JSON && err == nil && l.left.Total() > 0 {
		err = output.Answer{Protocol: l.protocol.Name, Err: lobbywire.LeftOutError{LeftOut: l.left}}.WriteLine(cmd.OutOrStdout())
	}
	if err == nil && l.partial {
		err = output.ErrPartial
	}
	return err
}

// queried returns the servers of a list that may be queried.
func queried(all []output.Answer, targets iter.Seq[netip.AddrPort]) []output.Answer {
	chosen := make(map[netip.AddrPort]bool)
	for at := range targets {
		chosen[at] = true
	}
	return slices.DeleteFunc(all, func(a output.Answer) bool { return !chosen[a.Query] })
}

// addresses returns the list of a master of gameagent.
func (l *lister) addresses(ctx context.Context, cmd *cobra.Command,
	addr string) (listing lobbywire.ListResult, err error) {
	if l.legacy != "" {
		client := protocols.LegacyClient(l.Settings)
		client.Game, client.Key = l.legacy, l.key
		listing = client.ListViews(ctx, addr)
		err = listing.Err
	} else {
		listing, err = l.nativeAddresses(ctx, addr)
	}
	if err != nil {
		return listing, adviseAboutMaster(err, l.protocol)
	}
	l.partial = listing.Partial
	if len(listing.Servers) == 0 && !l.partial {
		fmt.Fprintln(cmd.ErrOrStderr(), "the list is empty")
	}
	return listing, nil
}

// targets returns the query addresses of the servers that a master lists, and the number of
// servers. It leaves out servers without a query port, and servers that a list must not
// name, which l.left counts.
func (l *lister) targets(ctx context.Context, cmd *cobra.Command,
	addr string) (all iter.Seq[netip.AddrPort], listed int, err error) {
	if l.protocol.Name == "gamespy2" {
		listing, err := l.gamespy2Listing(ctx, cmd, addr)
		all, l.left = listing.Targets(ctx)
		return all, len(listing.Servers), err
	}
	listing, err := l.addresses(ctx, cmd, addr)
	all, l.left = listing.Targets(ctx)
	return all, len(listing.Servers), err
}

// nativeAddresses returns the list of a native master, at the first of its addresses
// that answers.
func (l *lister) nativeAddresses(ctx context.Context, addr string) (listing lobbywire.ListResult, err error) {
	at, err := targets.ParsePlace(addr)
	if err != nil {
		return listing, err
	}
	addresses, err := at.Addresses(ctx)
	if err != nil {
		return listing, err
	}
	listing, _, err = targets.TryInTurn(ctx, targets.Ports{}.Candidates(addresses, at.Port),
		func(ctx context.Context, at netip.AddrPort) (lobbywire.ListResult, error) {
			listing := protocols.GameAgentClient(l.Settings).ListViews(ctx, at.String())
			return listing, listing.Err
		})
	return listing, err
}

// listedAddresses returns the servers of a list, with their query addresses. The port of a game
// that is unknown is usually the one before.
func listedAddresses(servers []lobbywire.Listed) []output.Answer {
	all := make([]output.Answer, len(servers))
	for i, s := range servers {
		if s.View.Port == 0 {
			s.View.Port = gameagent.GameAddr(s.Query).Port()
		}
		all[i] = output.Answer{Protocol: "gameagent", View: s.View, Query: s.Query}
	}
	return all
}

// addressLayout shows only the address of a server, or its query address.
func addressLayout(queries bool) output.Layout {
	if queries {
		return output.Layout{Row: func(a output.Answer) []string { return []string{a.Query.String()} }}
	}
	return output.Layout{Row: func(a output.Answer) []string { return []string{a.Address()} }}
}
