package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire"
)

// A gameList is the list of a master that tells of games.
type gameList struct {
	games []listedGame
	notes []string // to be shown beside the list
}

type listedGame struct {
	addr    string // where it is joined, host:port; "" if the list does not tell
	message any    // as decode prints it
}

// gamesOf returns the list of messages of one type.
func gamesOf[G any](all []G, addr func(G) string) gameList {
	var l gameList
	for _, g := range all {
		l.games = append(l.games, listedGame{addr(g), g})
	}
	return l
}

// listGames prints the list of any master that tells of games.
func listGames(ctx context.Context, cmd *cobra.Command, l *lister, addr string) error {
	listing, err := l.protocol.games(ctx, addr, l.asking)
	if err != nil {
		return adviseAboutMaster(err, l.protocol)
	}
	listing.writeNotes(cmd.ErrOrStderr())
	return l.writeGames(cmd, listing)
}

// writeGames prints a list of games.
func (l *lister) writeGames(cmd *cobra.Command, listing gameList) error {
	return buffered(cmd.OutOrStdout(), func(w io.Writer) error {
		if l.json {
			return writeListedLines(w, listing.games)
		}
		t := table{header: []string{"ADDRESS", "PLAYERS", "TYPE", "MAP", "NAME"}, none: "the list is empty"}
		for _, g := range listing.games {
			r := reportOf(g.message)
			t.add(g.addr, r.playerCount(), r.gameType, r.level, r.name)
		}
		return t.write(w, screenOf(cmd.OutOrStdout()))
	})
}

// line returns g as decode prints its message, behind its address if it has one.
func (g listedGame) line() ([]byte, error) {
	if g.addr == "" {
		text, err := lobbywire.MarshalJSON(repaired(g.message))
		return escapeControls(text), err
	}
	addr, err := json.Marshal(g.addr)
	if err != nil {
		return nil, err
	}
	return withMembers(`"address":`+string(addr), g.message)
}

func writeListedLines(w io.Writer, games []listedGame) error {
	for _, g := range games {
		line, err := g.line()
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func (l gameList) writeNotes(w io.Writer) {
	for _, note := range l.notes {
		fmt.Fprintln(w, note)
	}
}

// adviseAboutMaster adds to err what to do if a list cannot be had.
func adviseAboutMaster(err error, p protocol) error {
	if errors.Is(err, lobbywire.ErrTimeout) {
		return fmt.Errorf("%w; check that it is a master of %s, or give it a longer -timeout", err, p.name)
	}
	return advise(err, p)
}
