package gameagent_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
)

// Keys may be missing, and other games have other keys.
func TestViewOfOtherGames(t *testing.T) {
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
		{"players who are not listed, in the legacy form",
			gameagent.LegacyStatus{NumPlayers: new(2)},
			lobbywire.View{Players: new(2), Rules: []lobbywire.Rule{{Key: "numplayers", Value: "2"}}}},
		{"no players, in the legacy form",
			gameagent.LegacyStatus{NumPlayers: new(0)},
			lobbywire.View{Players: new(0), Roster: []lobbywire.Player{},
				Rules: []lobbywire.Rule{{Key: "numplayers", Value: "0"}}}},
		{
			"players of another game",
			gameagent.LegacyStatus{Query: gameagent.LegacyQueryPlayers, Players: []gameagent.Player{{
				Extra: []gameagent.Pair{{Key: "playername", Value: "Ann"}, {Key: "score", Value: "-2"},
					{Key: "team", Value: "1"}},
			}}},
			lobbywire.View{Roster: []lobbywire.Player{{Name: "Ann", Score: new(-2), Team: "1"}}},
		},
		{
			"scores with a fraction",
			gameagent.LegacyStatus{Players: []gameagent.Player{
				{Extra: []gameagent.Pair{{Key: "frags", Value: "12.5"}, {Key: "score", Value: "4.500000"}}},
				{Extra: []gameagent.Pair{{Key: "Frags", Value: " -1.5"}, {Key: "frags", Value: "9.5"}}},
				{Extra: []gameagent.Pair{{Key: "frags", Value: "many"}, {Key: "deaths", Value: "1.5"}}},
			}, Extra: []gameagent.Pair{{Key: "teamscore_0", Value: "0.5"}}},
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
			"info in the legacy form",
			gameagent.LegacyStatus{Query: gameagent.LegacyQueryInfo, HostName: "^oReef^r", HostPort: 25600,
				MaxPlayers: new(8), Password: new(true)},
			lobbywire.View{
				Name: "Reef", Port: 25600, Max: new(8), Password: new(true),
				Rules: []lobbywire.Rule{
					{Key: "hostname", Value: "^oReef^r"}, {Key: "hostport", Value: "25600"},
					{Key: "maxplayers", Value: "8"}, {Key: "password", Value: "1"},
				},
			},
		},
		{"a heartbeat", gameagent.Heartbeat{Challenge: 7, Product: "serioussamse"}, lobbywire.View{
			Game: "serioussamse", Rules: []lobbywire.Rule{{Key: "product", Value: "serioussamse"}},
		}},
		{"a legacy heartbeat without a port", gameagent.LegacyHeartbeat{GameName: "serioussamse"},
			lobbywire.View{Game: "serioussamse"}},
	} {
		if diff := cmp.Diff(tt.want, tt.m.View()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
