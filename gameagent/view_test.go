package gameagent_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
)

// Keys may be missing, and other games have other keys.
func TestViewReadsKeysOfOtherGames(t *testing.T) {
	type view interface{ View() lobbywire.View }
	for _, tt := range []struct {
		name string
		m    view
		want lobbywire.View
	}{
		{"nothing", gameagent.Status{}, lobbywire.View{}},
		{"an empty server", gameagent.Status{Players: new(0), MaxPlayers: new(8)}, lobbywire.View{
			Players: new(0), Max: new(8),
			Rules: []lobbywire.Rule{{Key: "players", Value: "0"}, {Key: "maxplayers", Value: "8"}},
		}},
		{"places unknown", gameagent.Status{Players: new(3)}, lobbywire.View{
			Players: new(3), Rules: []lobbywire.Rule{{Key: "players", Value: "3"}},
		}},
		{
			"players malformed", gameagent.Status{MaxPlayers: new(8),
				Extra: []gameagent.Pair{{Key: "players", Value: "some"}}},
			lobbywire.View{Max: new(8),
				Rules: []lobbywire.Rule{{Key: "maxplayers", Value: "8"}, {Key: "players", Value: "some"}}},
		},
		{"a part of the players", gameagent.Players{NotFirst: true}, lobbywire.View{}},
		{"players who are not listed", gameagent.Players{Count: 2}, lobbywire.View{Players: new(2)}},
		{"no players", gameagent.Players{}, lobbywire.View{Players: new(0), Roster: []lobbywire.Player{}}},
		{"a heartbeat", gameagent.Heartbeat{Challenge: 7, Product: "serioussamse"}, lobbywire.View{
			Game: "serioussamse", Rules: []lobbywire.Rule{{Key: "product", Value: "serioussamse"}},
		}},
	} {
		if diff := cmp.Diff(tt.want, tt.m.View()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
