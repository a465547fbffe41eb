package main

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
)

// A lister has the settings of list and browse.
type lister struct {
	scanner
	queries  bool
	legacy   string
	key      string // for legacy and gamespy2
	gamespy2 gamespy2Query
	join     string // ID of the game whose address to request
}

func newListCommand(via sockets) *cobra.Command {
	l := lister{scanner: scanner{asking: asking{sockets: via}}}
	cmd := &cobra.Command{
		Use:   "list [flags] PROTOCOL|GAME MASTER",
		Short: "Print the games that a master lists",
		Long: `List prints the games that a master lists, one on each line.

PROTOCOL is gameagent, whose lists contain only addresses, or gamespy2,
bomberman, warzone, wzhttp, wztext, wzbin or wzjson, whose lists describe the
games. A GAME of these can be used instead. MASTER is HOST:PORT, or HOST if it
has the usual port; for warzone and wzhttp it may be the URL of an HTTP lobby.
For gameagent the addresses have game ports; query ports are higher by one.
Lists of gamespy2 need the name of a game and its secret key.`,
		Example: `  gamequery list warzone 127.0.0.1:9990
  gamequery list warzone https://lobby.example/x
  gamequery list -json bomberman 127.0.0.1
  gamequery list gameagent -queries 127.0.0.1:9005
  gamequery list gameagent -legacy serioussamse 127.0.0.1:28900
  gamequery list gamespy2 -game gmtest -key HA6zkS 127.0.0.1:28910`,
		Args: func(cmd *cobra.Command, args []string) error { return l.take(cmd, args, listings()) },
		RunE: func(cmd *cobra.Command, args []string) error {
			return l.printFrom(cmd, args[1], func(ctx context.Context, master string) error {
				return l.protocol.list(ctx, cmd, &l, master)
			})
		},
		ValidArgsFunction:     listings().complete,
		DisableFlagsInUseLine: true,
	}
	l.addFlags(cmd.Flags())
	cmd.Flags().BoolVar(&l.queries, "queries", false, "for gameagent and gamespy2, print query addresses, for scan")
	cmd.Flags().StringVar(&l.join, "join", "", "for warzone and wzhttp, request from an HTTP lobby where players join the game\nwith this `ID`")
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
	return l.to(cmd, func() error { return do(ctx, master) })
}

// checkJoin checks the flag join for a master.
func (l *lister) checkJoin(cmd *cobra.Command, master string) error {
	isHTTP := l.protocol.scheme != "" || l.protocol.name == "warzone" && isURL(master)
	if l.join != "" && !isHTTP {
		return badUsage(cmd, "-join is for the URL of a lobby of warzone or wzhttp only")
	}
	return nil
}

// take reads the arguments PROTOCOL MASTER.
func (l *lister) take(cmd *cobra.Command, args []string, r role) (err error) {
	if len(args) != 2 {
		return badUsage(cmd, "want a PROTOCOL and a MASTER")
	}
	l.protocol, err = protocolOf(cmd, args[0], r)
	return err
}

// addFlags adds the flags of list and browse.
func (l *lister) addFlags(flags *pflag.FlagSet) {
	l.asking.addFlags(flags)
	l.output.addFlags(flags, "print one line of JSON for each server")
	l.addListFlags(flags)
	l.gamespy2.addFlags(flags)
	flags.StringVar(&l.legacy, "legacy", "", "for gameagent, fetch the servers of this `GAME`, such as serioussamse, from a legacy master over TCP")
	flags.StringVar(&l.key, "key", "", "for gamespy2 and -legacy, the secret `KEY` of the game; the default for -legacy is that of Serious Sam")
}

func (l *lister) check(cmd *cobra.Command) error {
	if l.protocol.query == nil {
		for _, name := range []string{"queries", "legacy", "key", "attempts"} {
			if cmd.Flags().Changed(name) {
				return badUsage(cmd, "-%s is not for %s", name, l.protocol.name)
			}
		}
	}
	if l.legacy != "" && l.protocol.name != "gameagent" {
		return badUsage(cmd, "-legacy is not for %s", l.protocol.name)
	}
	if err := l.gamespy2.check(cmd, l.protocol, l.key); err != nil {
		return err
	}
	return l.scanner.check(cmd, scanAsks(l.protocol))
}

// master returns the address of the MASTER s, with the usual port if it has none.
func (l *lister) master(cmd *cobra.Command, s string) (string, error) {
	p := l.protocol
	if l.legacy != "" {
		p.listPort = gameagent.LegacyListPort
	}
	return p.masterAddress(cmd, s)
}

// masterAddress returns the address of a master of the protocol, with the usual port,
// if there is one, for one that has none. A URL is returned as it is.
func (p protocol) masterAddress(cmd *cobra.Command, s string) (string, error) {
	if isURL(s) || p.scheme != "" {
		return s, nil
	}
	at, err := parsePlace(s)
	if at.port == 0 {
		at.port = cmp.Or(p.listPort, p.masterPort)
	}
	switch {
	case err != nil:
		return "", badUsage(cmd, "MASTER %q: %v", s, err)
	case at.port == 0:
		return "", badUsage(cmd, "MASTER %q: %v", s, errNoPort)
	case at.count > 1:
		return "", badUsage(cmd, "MASTER %q: want one port", s)
	}
	return at.String(), nil
}

func listGameAgent(ctx context.Context, cmd *cobra.Command, l *lister, addr string) error {
	listing, err := l.addresses(ctx, cmd, addr)
	if err != nil {
		return err
	}
	all := listedAddresses(listing)
	if l.queries {
		all = slices.DeleteFunc(all, func(a answer) bool { return !a.query.IsValid() })
	}
	return l.printAll(cmd.OutOrStdout(), addressLayout(l.queries), all)
}

// addresses returns the list of a master of gameagent.
func (l *lister) addresses(ctx context.Context, cmd *cobra.Command, addr string) (listing gameagentnet.Listing, err error) {
	if l.legacy != "" {
		client := gameagentClient(l.asking)
		client.LegacyKey = l.key
		listing, err = client.LegacyList(ctx, addr, l.legacy)
	} else {
		listing, err = l.nativeAddresses(ctx, addr)
	}
	if err != nil {
		return listing, advise(err, l.protocol)
	}
	if listing.Partial {
		fmt.Fprintln(cmd.ErrOrStderr(), "the list has no end: servers may be missing")
	}
	if len(listing.Servers) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "the list is empty")
	}
	return listing, nil
}

// targets returns the query addresses of the servers that a master lists, and the
// number of servers. It leaves out servers without a query port.
func (l *lister) targets(ctx context.Context, cmd *cobra.Command, addr string) (all []target, listed int, err error) {
	if l.protocol.name == "gamespy2" {
		listing, err := l.gamespy2Listing(ctx, cmd, addr)
		for query := range listing.Addrs() {
			all = append(all, targetAt(query))
		}
		return all, len(listing.Servers), err
	}
	listing, err := l.addresses(ctx, cmd, addr)
	return queryTargets(listing), len(listing.Servers), err
}

// nativeAddresses returns the list of a native master, at the first of its addresses
// that answers.
func (l *lister) nativeAddresses(ctx context.Context, addr string) (gameagentnet.Listing, error) {
	at, err := parsePlace(addr)
	if err != nil {
		return gameagentnet.Listing{}, err
	}
	addresses, err := at.addresses(ctx)
	if err != nil {
		return gameagentnet.Listing{}, err
	}
	listing, _, err := tryInTurn(ctx, ports{}.candidates(addresses, at.port), func(ctx context.Context, at netip.AddrPort) (gameagentnet.Listing, error) {
		return gameagentClient(l.asking).List(ctx, at.String())
	})
	return listing, err
}

// queryTargets returns the query addresses of the servers of a list. It leaves out
// servers without a query port.
func queryTargets(l gameagentnet.Listing) []target {
	var all []target
	for _, game := range l.Servers {
		if query, err := gameagent.QueryAddr(game); err == nil {
			all = append(all, targetAt(query))
		}
	}
	return all
}

// listedAddresses returns the servers of a list, with their query addresses.
func listedAddresses(l gameagentnet.Listing) []answer {
	all := make([]answer, len(l.Servers))
	for i, view := range l.Views() {
		all[i] = answer{protocol: "gameagent", view: view}
		if query, err := gameagent.QueryAddr(l.Servers[i]); err == nil {
			all[i].query = query
		}
	}
	return all
}

// addressLayout has only the address of a server, or its query address.
func addressLayout(queries bool) layout {
	if queries {
		return layout{row: func(a answer) []string { return []string{a.query.String()} }}
	}
	return layout{row: func(a answer) []string { return []string{a.address()} }}
}
