package protocols

import (
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
)

// A GameList is the list of a master, with descriptions of the games.
type GameList struct {
	Games   []output.Answer
	Layout  output.Layout
	Notes   []string // printed on standard error
	Skipped int      // games that cannot be read
	Partial bool     // games may be missing
}

// GamesOf returns the list of messages of one type.
func GamesOf[G interface{ View() lobbywire.View }](p string, all []G, layout output.Layout) GameList {
	l := GameList{Layout: layout}
	for _, g := range all {
		l.Games = append(l.Games, output.Answer{Protocol: p, View: g.View(), Message: g})
	}
	return l
}

// layoutWith returns a layout with a column for a rule.
func layoutWith(rule string) output.Layout {
	return output.Layout{
		Header: []string{"ADDRESS", "PLAYERS", strings.ToUpper(rule), "MAP", "NAME"},
		None:   EmptyList,
		Row: func(g output.Answer) []string {
			return []string{g.JoinAddress(), output.PlayerCount(g.View), g.Rule(rule), g.View.Map, g.View.Name}
		},
	}
}

// EmptyList is printed instead of a table without games.
const EmptyList = "the list is empty"
