package main

import (
	_ "embed"
	"encoding/json"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/games"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
)

func newGamesCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "games [flags] [TEXT]",
		Short: "List the games that can be used in place of a PROTOCOL",
		Long: `Games prints the games whose names can be used in place of a PROTOCOL, or only
those with TEXT in one of their names.

PORT is the usual port of the game. QUERY is the query port: a number, an offset
from the game port such as +2, or = for the game port itself. ALIASES are other
names, including the names in gamedig and qstat.`,
		Example: `  gamequery games
  gamequery games battlefield
  gamequery query battlefield2 game.example.org`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage.Bad(cmd, "want one TEXT at most")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			text := strings.ToLower(strings.Join(args, ""))
			return terminal.Buffered(cmd.OutOrStdout(), func(w io.Writer) error {
				t := terminal.Table{
					Header: []string{"GAME", "TITLE", "PROTOCOL", "ASK", "PORT", "QUERY", "ALIASES"},
					None:   "no game has that in its name",
				}
				for _, g := range games.All() {
					names := strings.Join(append([]string{g.Name, g.Title}, g.Aliases...), "\n")
					if !strings.Contains(strings.ToLower(names), text) {
						continue
					}
					if asJSON {
						if err := json.NewEncoder(w).Encode(g); err != nil {
							return err
						}
						continue
					}
					t.Add(g.Name, g.Title, g.Protocol, g.Ask, g.Port, g.Query, strings.Join(g.Aliases, " "))
				}
				if asJSON {
					return nil
				}
				return t.Write(w, terminal.ScreenOf(cmd.OutOrStdout()))
			})
		},
		DisableFlagsInUseLine: true,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one line of JSON for each game")
	return cmd
}
