package main

import (
	_ "embed"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// gamesTable is the table of games. Its comments explain the columns.
//
//go:embed games.tsv
var gamesTable string

// A knownGame is a row of the table. Empty fields are unknown.
type knownGame struct {
	name, title string
	protocol    string
	ask         string
	port, query string
	aliases     []string
}

// knownGames returns the rows of the table.
func knownGames() []knownGame {
	var all []knownGame
	for line := range strings.Lines(gamesTable) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for i := range columns {
			if columns[i] == "-" {
				columns[i] = ""
			}
		}
		all = append(all, knownGame{
			name: columns[0], title: columns[1], protocol: columns[2], ask: columns[3],
			port: columns[4], query: columns[5], aliases: strings.Fields(columns[6]),
		})
	}
	return all[1:] // the first names the columns
}

// is reports whether a game has this name, in any case.
func (g knownGame) is(name string) bool {
	return strings.EqualFold(g.name, name) ||
		slices.ContainsFunc(g.aliases, func(alias string) bool { return strings.EqualFold(alias, name) })
}

// ports returns the ports of the game.
func (g knownGame) ports() ports {
	var p ports
	p.game = portOf(g.port)
	switch {
	case g.query == "":
	case g.query == "=":
		p.query = p.game
	case g.query[0] == '+', g.query[0] == '-':
		p.offset, _ = strconv.Atoi(g.query)
		p.query = uint16(int(p.game) + p.offset)
	default:
		p.query, p.fixed = portOf(g.query), true
	}
	return p
}

func portOf(s string) uint16 {
	n, _ := strconv.ParseUint(s, 10, 16)
	return uint16(n)
}

// of returns p with the ports of the game, and with its form of query as the default.
func (g knownGame) of(p protocol) protocol {
	p.ports = g.ports()
	if i := slices.Index(p.asks, g.ask); i > 0 {
		p.asks = append([]string{g.ask}, slices.Delete(slices.Clone(p.asks), i, i+1)...)
	}
	return p
}

func newGamesCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "games [flags] [TEXT]",
		Short: "List the games that can be used in place of a PROTOCOL",
		Long: `Games prints the games whose names can be used in place of a PROTOCOL, or only
those with TEXT in one of their names.

PORT is the usual port of the game. QUERY is the query port: a number, an offset
from the game port such as +2, or = for the game port itself. ALIASES are other
names, including those of gamedig and qstat.`,
		Example: `  gamequery games
  gamequery games battlefield
  gamequery query battlefield2 game.example.org`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return badUsage(cmd, "want one TEXT at most")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			text := strings.ToLower(strings.Join(args, ""))
			return buffered(cmd.OutOrStdout(), func(w io.Writer) error {
				t := table{
					header: []string{"GAME", "TITLE", "PROTOCOL", "ASK", "PORT", "QUERY", "ALIASES"},
					none:   "no game has that in its name",
				}
				for _, g := range knownGames() {
					names := strings.Join(append([]string{g.name, g.title}, g.aliases...), "\n")
					if !strings.Contains(strings.ToLower(names), text) {
						continue
					}
					if asJSON {
						if err := g.writeLine(w); err != nil {
							return err
						}
						continue
					}
					t.add(g.name, g.title, g.protocol, g.ask, g.port, g.query, strings.Join(g.aliases, " "))
				}
				if asJSON {
					return nil
				}
				return t.write(w, screenOf(cmd.OutOrStdout()))
			})
		},
		DisableFlagsInUseLine: true,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one line of JSON for each game")
	return cmd
}

// writeLine prints the game as a line of JSON.
func (g knownGame) writeLine(w io.Writer) error {
	p := g.ports()
	return json.NewEncoder(w).Encode(struct {
		Game     string   `json:"game"`
		Title    string   `json:"title"`
		Protocol string   `json:"protocol"`
		Ask      string   `json:"ask,omitzero"`
		Port     uint16   `json:"port,omitzero"`
		Query    uint16   `json:"query,omitzero"`
		Offset   int      `json:"offset,omitzero"`
		Aliases  []string `json:"aliases,omitzero"`
	}{g.name, g.title, g.protocol, g.ask, p.game, p.query, p.offset, g.aliases})
}
