package main

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// gamespy2Query is the request to a master of gamespy2.
type gamespy2Query struct{ game, filter, fields string }

// The flags of a gamespy2Query.
var gamespy2QueryFlags = [...]string{"game", "masterfilter", "fields"}

func (q *gamespy2Query) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&q.game, "game", "", "for gamespy2, the `NAME` of the game whose servers to list, such as gmtest")
	flags.StringVar(&q.filter, "masterfilter", "",
		"for gamespy2, a `CONDITION` in the filter language of masters, such as 'numplayers>0'")
	flags.StringVar(&q.fields, "fields", "", "for gamespy2, the keys to list for each server: `NAMES` with commas "+
		"between, by default "+strings.ReplaceAll(protocols.GameSpy2Fields, ",", ", "))
}

// check checks the flags and the key for a protocol.
func (q *gamespy2Query) check(cmd *cobra.Command, p protocols.Protocol, key string) error {
	if p.Name != "gamespy2" {
		for _, name := range gamespy2QueryFlags {
			if cmd.Flags().Changed(name) {
				return usage.Bad(cmd, "-%s is for gamespy2 only", name)
			}
		}
		return nil
	}
	if q.game == "" || key == "" {
		return usage.Bad(cmd, "gamespy2 needs -game and -key")
	}
	return nil
}

func (q *gamespy2Query) query(key string) gamespy2net.ListQuery {
	return gamespy2net.ListQuery{
		Game: q.game, Key: key, Filter: q.filter,
		Fields:  sb2.MakeFieldList(strings.Split(cmp.Or(q.fields, protocols.GameSpy2Fields), ",")...),
		Options: sb2.OptionAllFields,
	}
}

func listGameSpy2(ctx context.Context, cmd *cobra.Command, l *lister, addr string) error {
	listing, err := l.gamespy2Listing(ctx, cmd, addr)
	if err != nil {
		return err
	}
	all := protocols.GamesOf("gamespy2", listing.Servers, output.Layout{
		Header: []string{"ADDRESS", "QUERY", "PLAYERS", "MODE", "MAP", "NAME"},
		None:   protocols.EmptyList,
		Row: func(g output.Answer) []string {
			address, query := g.Addresses()
			return []string{address, query, output.PlayerCount(g.View), g.View.Mode, g.View.Map, g.View.Name}
		},
	})
	for i, s := range listing.Servers {
		all.Games[i].Query = s.AddrPort(listing.DefaultPort)
	}
	if l.queries {
		for i, s := range listing.Servers {
			all.Games[i].Query = listing.Addr(s)
		}
		all.Layout = addressLayout(true)
		targets, left := listing.Targets(ctx)
		all.Games, l.left = queried(all.Games, targets), left
	}
	return l.printAll(cmd, all.Layout, all.Games)
}

// gamespy2Listing returns the list of a master of gamespy2.
func (l *lister) gamespy2Listing(ctx context.Context, cmd *cobra.Command, addr string) (gamespy2net.Listing, error) {
	listing, err := protocols.GameSpy2Client(l.Settings).List(ctx, addr, l.gamespy2.query(l.key))
	var refusal *gamespy2net.MasterError
	switch {
	case errors.As(err, &refusal):
		return listing, err
	case err != nil:
		return listing, adviseAboutMaster(err, l.protocol)
	}
	l.partial = listing.Partial
	return listing, nil
}
