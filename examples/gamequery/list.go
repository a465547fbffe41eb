package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
)

func newListCommand() *cobra.Command {
	var s scanner
	var browse, queries bool
	var legacy string
	cmd := &cobra.Command{
		Use:   "list [flags] gameagent MASTER",
		Short: "Get the servers that a master lists",
		Long: `List prints the addresses of the games that a master lists, one a line.

MASTER is host:port. Servers are asked at the port above that of the game.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return badUsage(cmd, "want a PROTOCOL and a MASTER")
			}
			return onlyGameAgent(cmd, args[0])
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s.protocol = gameagentProtocol()
			if err := s.check(cmd, s.protocol, scanAsks(s.protocol)); err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			var listing gameagentnet.Listing
			var err error
			if legacy != "" {
				listing, err = gameagentClient(s.asking).LegacyList(ctx, args[1], legacy)
			} else {
				listing, err = gameagentClient(s.asking).List(ctx, args[1])
			}
			if err != nil {
				return advise(err, s.protocol)
			}
			if listing.Partial {
				fmt.Fprintln(cmd.ErrOrStderr(), "the list has no end: servers may be missing")
			}
			if !browse {
				return buffered(cmd.OutOrStdout(), func(w io.Writer) error {
					return writeListing(w, listing, queries, s.json)
				})
			}
			all := queryTargets(listing)
			if len(all) == 0 {
				fmt.Fprintln(cmd.ErrOrStderr(), "the list is empty")
				return nil
			}
			return s.run(ctx, all, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
		ValidArgsFunction:     completeProtocol,
		DisableFlagsInUseLine: true,
	}
	s.addFlags(cmd.Flags())
	cmd.Flags().BoolVar(&s.json, "json", false, "print one line of JSON for each server")
	cmd.Flags().BoolVar(&browse, "browse", false, "ask the servers and print as scan does")
	cmd.Flags().BoolVar(&queries, "queries", false, "print addresses of queries, as scan takes them, rather than of games")
	cmd.Flags().StringVar(&legacy, "legacy", "", "ask a legacy master, over TCP, for the servers of this `GAME`, as serioussamse")
	return cmd
}

// queryTargets returns where to ask the servers of a list. Those that have no
// port for queries are left out.
func queryTargets(l gameagentnet.Listing) targets {
	var all targets
	for _, game := range l.Servers {
		if query, err := gameagent.QueryAddr(game); err == nil {
			all = append(all, target{query.Addr(), query.Port(), query.Port()})
		}
	}
	return all
}

func writeListing(w io.Writer, l gameagentnet.Listing, queries, asJSON bool) error {
	for _, game := range l.Servers {
		query, err := gameagent.QueryAddr(game)
		switch {
		case asJSON && err != nil:
			_, err = fmt.Fprintf(w, "{\"game\":%q}\n", game)
		case asJSON:
			_, err = fmt.Fprintf(w, "{\"game\":%q,\"query\":%q}\n", game, query)
		case !queries:
			_, err = fmt.Fprintln(w, game)
		case err == nil:
			_, err = fmt.Fprintln(w, query)
		default:
			err = nil // nowhere to ask it
		}
		if err != nil {
			return err
		}
	}
	return nil
}
