package output

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/gamespy2"
)

// The text for people has the title of the game, the names of teams and of numbered keys, and
// only players who are there.
func TestWriteAnswer(t *testing.T) {
	m := gamespy2.Response{
		Info: []gamespy2.KeyValue{{Key: "gamename", Value: "battlefield2"}, {Key: "numplayers", Value: "1"},
			{Key: "p1073741825", Value: "DM-Deck"}},
		Players: gamespy2.Table{Columns: []string{"player_", "team_"}, Rows: [][]string{{" Ann", "2"}, {" Left", "1"}}},
		Teams:   gamespy2.Table{Columns: []string{"team_t"}, Rows: [][]string{{"MEC"}, {"US"}}},
	}
	var out bytes.Buffer
	if err := writeAnswer(&out, Answer{View: m.View(), Message: m}, terminal.Screen{}); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{"game Battlefield 2 (battlefield2)", "map DM-Deck", "player_ team_ Ann US TEAMS team_t MEC US"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %q", want, text)
		}
	}
}
