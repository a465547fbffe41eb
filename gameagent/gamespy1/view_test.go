package gamespy1_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
)

// Keys may be missing, and other games have other keys.
func TestViewReadsKeysOfOtherGames(t *testing.T) {
	type view interface{ View() lobbywire.View }
	for _, tt := range []struct {
		name string
		m    view
		want lobbywire.View
	}{
		{"players who are not listed",
			gamespy1.Status{NumPlayers: new(2)},
			lobbywire.View{Players: new(2), Rules: []lobbywire.Rule{{Key: "numplayers", Value: "2"}}}},
		{"no players",
			gamespy1.Status{NumPlayers: new(0)},
			lobbywire.View{Players: new(0), Roster: []lobbywire.Player{},
				Rules: []lobbywire.Rule{{Key: "numplayers", Value: "0"}}}},
		{
			"players of another game",
			gamespy1.Status{Query: gamespy1.QueryPlayers, Players: []gamespy1.Player{{
				Extra: []gamespy1.Pair{{Key: "playername", Value: "Ann"}, {Key: "score", Value: "-2"},
					{Key: "team", Value: "1"}},
			}}},
			lobbywire.View{Roster: []lobbywire.Player{{Name: "Ann", Score: new(-2), Team: "1"}}},
		},
		{
			"scores with a fraction",
			gamespy1.Status{Players: []gamespy1.Player{
				{Extra: []gamespy1.Pair{{Key: "frags", Value: "12.5"}, {Key: "score", Value: "4.500000"}}},
				{Extra: []gamespy1.Pair{{Key: "Frags", Value: " -1.5"}, {Key: "frags", Value: "9.5"}}},
				{Extra: []gamespy1.Pair{{Key: "frags", Value: "many"}, {Key: "deaths", Value: "1.5"}}},
			}, Extra: []gamespy1.Pair{{Key: "teamscore_0", Value: "0.5"}}},
			lobbywire.View{
				Roster: []lobbywire.Player{
					{Score: new(5), Kills: new(13)},
					{Score: new(-2), Rules: []lobbywire.Rule{{Key: "frags", Value: "9.5"}}},
					{Rules: []lobbywire.Rule{{Key: "frags", Value: "many"}, {Key: "deaths", Value: "1.5"}}},
				},
				Teams: []lobbywire.Team{{Score: new(1)}},
				Rules: []lobbywire.Rule{{Key: "teamscore_0", Value: "0.5"}},
			},
		},
		{
			"info",
			gamespy1.Status{Query: gamespy1.QueryInfo, HostName: "^oReef^r", HostPort: 25600,
				MaxPlayers: new(8), Password: new(true)},
			lobbywire.View{
				Name: "Reef", Port: 25600, Max: new(8), Password: new(true),
				Rules: []lobbywire.Rule{
					{Key: "hostname", Value: "^oReef^r"}, {Key: "hostport", Value: "25600"},
					{Key: "maxplayers", Value: "8"}, {Key: "password", Value: "1"},
				},
			},
		},
		{"a heartbeat without a port", gamespy1.Heartbeat{GameName: "serioussamse"},
			lobbywire.View{Game: "serioussamse"}},
	} {
		if diff := cmp.Diff(tt.want, tt.m.View()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
