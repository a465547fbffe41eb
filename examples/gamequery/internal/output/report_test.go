package output

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gamespy2"
)

// The text for people shows the title of the game, the names of teams and of numbered keys,
// and all players, even if the server counts fewer.
func TestAnswerShowsAllPlayersAndNames(t *testing.T) {
	bf2 := gamespy2.Response{
		Info: []gamespy2.KeyValue{{Key: "gamename", Value: "battlefield2"}, {Key: "numplayers", Value: "1"},
			{Key: "p1073741825", Value: "DM-Deck"}},
		Players: gamespy2.Table{Columns: []string{"player_", "team_", "AIBot_"},
			Rows: [][]string{{"Bot", "1", "1"}, {" Ann", "2", "0"}}},
		Teams: gamespy2.Table{Columns: []string{"team_t"}, Rows: [][]string{{"MEC"}, {"US"}}},
	}
	ut, err := gamespy1.ParseStatus([]byte(`\gamename\ut\hostname\X\numplayers\1\maxplayers\8` +
		`\player_0\S\team_0\255\mesh_0\Spectator\player_1\A\team_1\0\frags_1\5\final\`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		view    lobbywire.View
		message any
		want    []string
	}{
		{bf2.View(), bf2, []string{"game Battlefield 2 (battlefield2) map DM-Deck players 1 bots 1 rtt",
			"player_ team_ AIBot_ Bot MEC 1 Ann US 0 TEAMS team_t MEC US"}},
		{ut.View(), ut, []string{"players 1/8 spectators 1 rtt", "0 S - - 255 1 A 5 - 0"}},
	} {
		var out bytes.Buffer
		if err := writeAnswer(&out, Answer{View: tt.view, Message: tt.message}, terminal.Screen{}); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(out.String()), " ")
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("%q is missing in %q", want, text)
			}
		}
	}
}
