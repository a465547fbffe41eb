package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire"
)

// A gameList is the list of a master, with descriptions of the games.
type gameList struct {
	games  []answer
	layout layout
	notes  []string // printed on standard error
}

// gamesOf returns the list of messages of one type.
func gamesOf[G interface{ View() lobbywire.View }](p string, all []G, layout layout) gameList {
	l := gameList{layout: layout}
	for _, g := range all {
		l.games = append(l.games, answer{protocol: p, view: g.View(), message: g})
	}
	return l
}

// joinAddress returns the address where players join a game of a list, with ? for an
// unknown host.
func (a answer) joinAddress() string { return a.view.Address(unknownCell) }

// rule returns the value of a rule, "" if there is none.
func (a answer) rule(key string) string {
	for _, r := range a.view.Rules {
		if r.Key == key {
			return r.Value
		}
	}
	return ""
}

// listGames prints the list of a master that describes games, or where players join one
// of them.
func listGames(ctx context.Context, cmd *cobra.Command, l *lister, addr string) error {
	if l.join != "" {
		return joinWZHTTP(ctx, cmd, l, addr)
	}
	all, err := l.protocol.games(ctx, addr, l.asking)
	if err != nil {
		return adviseAboutMaster(err, l.protocol)
	}
	for _, note := range all.notes {
		fmt.Fprintln(cmd.ErrOrStderr(), note)
	}
	return l.printAll(cmd.OutOrStdout(), all.layout, all.games)
}

// layoutWith returns a layout with a column for a rule.
func layoutWith(rule string) layout {
	return layout{
		header: []string{"ADDRESS", "PLAYERS", strings.ToUpper(rule), "MAP", "NAME"},
		none:   emptyList,
		row: func(g answer) []string {
			return []string{g.joinAddress(), playerCount(g.view), g.rule(rule), g.view.Map, g.view.Name}
		},
	}
}

// emptyList is printed instead of a table without games.
const emptyList = "the list is empty"

// adviseAboutMaster adds advice to an error of fetching a list.
func adviseAboutMaster(err error, p protocol) error {
	if errors.Is(err, lobbywire.ErrTimeout) {
		return fmt.Errorf("%w; check that it is a master of %s, or give it a longer -timeout", err, p.name)
	}
	return advise(err, p)
}
