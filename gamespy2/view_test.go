package gamespy2_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
)

func TestViewReadsKeysAndTables(t *testing.T) {
	bots := gamespy2.Table{
		Columns: []string{"player_", "AIBot_"},
		Rows:    [][]string{{" Ann", "0"}, {"TAG Bo", "1"}},
	}
	names := gamespy2.Table{Columns: []string{"player_"}, Rows: [][]string{{"Ann"}, {"Bo"}}}
	for _, tt := range []struct {
		name string
		m    gamespy2.Response
		want lobbywire.View
	}{
		{
			"Unreal Tournament 3",
			gamespy2.Response{Info: []gamespy2.KeyValue{
				{"hostname", "Reef"}, {"mapname", "OwningPlayerId=830,s0=2"}, {"p1073741825", "DM-Deck"},
				{"p1073741826", "UTGame.UTDeathmatch"}, {"p268435703", "2"}, {"s7", "1"},
			}},
			lobbywire.View{Name: "Reef", Map: "DM-Deck", Mode: "UTGame.UTDeathmatch", Bots: new(2),
				Password: new(true)},
		},
		{
			"numbers that are none",
			gamespy2.Response{Info: []gamespy2.KeyValue{
				{"numplayers", "-1"}, {"maxplayers", "many"}, {"hostport", "65536"}, {"password", " "},
			}},
			lobbywire.View{},
		},
		{
			"a key that is twice there",
			gamespy2.Response{Info: []gamespy2.KeyValue{{"mapname", "a"}, {"mapname", "b"}}},
			lobbywire.View{Map: "b"},
		},
		{
			"all bots are known",
			gamespy2.Response{Info: []gamespy2.KeyValue{{"numplayers", "2"}}, Players: bots},
			lobbywire.View{
				Players: new(2), Bots: new(1),
				Roster: []lobbywire.Player{{Name: "Ann", Bot: new(false)}, {Name: "TAG Bo", Bot: new(true)}},
			},
		},
		{
			"players are missing",
			gamespy2.Response{Info: []gamespy2.KeyValue{{"numplayers", "3"}}, Players: bots},
			lobbywire.View{
				Players: new(3),
				Roster:  []lobbywire.Player{{Name: "Ann", Bot: new(false)}, {Name: "TAG Bo", Bot: new(true)}},
			},
		},
		{
			"nobody",
			gamespy2.Response{
				Info: []gamespy2.KeyValue{{"numplayers", "0"}}, Players: gamespy2.Table{Columns: bots.Columns},
				Teams: gamespy2.Table{Columns: []string{"team_t"}},
			},
			lobbywire.View{Players: new(0), Bots: new(0), Roster: []lobbywire.Player{}, Teams: []lobbywire.Team{}},
		},
		{
			"more players than are counted",
			gamespy2.Response{Info: []gamespy2.KeyValue{{"numplayers", " 01"}}, Players: names},
			lobbywire.View{Players: new(1), Roster: []lobbywire.Player{{Name: "Ann"}, {Name: "Bo"}}},
		},
		{
			"none is counted",
			gamespy2.Response{Info: []gamespy2.KeyValue{{"numplayers", "0"}}, Players: names},
			lobbywire.View{Players: new(0), Roster: []lobbywire.Player{{Name: "Ann"}, {Name: "Bo"}}},
		},
		{
			"players who are not listed",
			gamespy2.Response{Info: []gamespy2.KeyValue{{"numplayers", "2"}}, Players: gamespy2.Table{Columns: bots.Columns}},
			lobbywire.View{Players: new(2)},
		},
		{
			"no readable count",
			gamespy2.Response{Info: []gamespy2.KeyValue{{"numplayers", "none"}}, Players: names},
			lobbywire.View{Roster: []lobbywire.Player{{Name: "Ann"}, {Name: "Bo"}}},
		},
		{
			"bots that are counted apart",
			gamespy2.Response{Info: []gamespy2.KeyValue{{"numplayers", "1"}, {"numbots", "1"}}, Players: names},
			lobbywire.View{Players: new(1), Bots: new(1), Roster: []lobbywire.Player{{Name: "Ann"}, {Name: "Bo"}}},
		},
		{
			"bots that are not counted",
			gamespy2.Response{Info: []gamespy2.KeyValue{{"numplayers", "1"}}, Players: bots},
			lobbywire.View{
				Players: new(1), Bots: new(1),
				Roster: []lobbywire.Player{{Name: "Ann", Bot: new(false)}, {Name: "TAG Bo", Bot: new(true)}},
			},
		},
		{
			"columns",
			gamespy2.Response{Players: gamespy2.Table{
				Columns: []string{"time_", "player_", "kills_", "deaths_", "ping_", "score_", "pid_", "pid_"},
				Rows: [][]string{
					{"60", "Ann", " 3", "04", "-1", "12.00", " 7 ", "8"},
					{"", "Bo", "-1", "", "x", "1.5", " "},
				},
			}},
			lobbywire.View{Roster: []lobbywire.Player{
				{Name: "Ann", Kills: new(3), Deaths: new(4), Score: new(12),
					Rules: []lobbywire.Rule{{Key: "time_", Value: "60"}, {Key: "pid_", Value: "7"}}},
				{Name: "Bo", Kills: new(-1), Score: new(2)},
			}},
		},
		{
			"teams from 1",
			gamespy2.Response{
				Info:    []gamespy2.KeyValue{{"gamename", "stella"}},
				Players: gamespy2.Table{Columns: []string{"team_"}, Rows: [][]string{{"1"}}},
				Teams:   gamespy2.Table{Columns: []string{"team_t"}, Rows: [][]string{{"EU "}, {"PAC"}}},
			},
			lobbywire.View{Game: "stella", Roster: []lobbywire.Player{{Team: "EU"}},
				Teams: []lobbywire.Team{{Name: "EU"}, {Name: "PAC"}}},
		},
		{
			"teams from 0, as of Halo",
			gamespy2.Response{
				Players: gamespy2.Table{Columns: []string{"team_"}, Rows: [][]string{{"1"}, {"0"}}},
				Teams:   gamespy2.Table{Columns: []string{"team_t"}, Rows: [][]string{{"Red"}, {"Blue"}}},
			},
			lobbywire.View{Roster: []lobbywire.Player{{Team: "Blue"}, {Team: "Red"}},
				Teams: []lobbywire.Team{{Name: "Red"}, {Name: "Blue"}}},
		},
		{
			"flags",
			gamespy2.Response{Info: []gamespy2.KeyValue{{"password", "closed"}, {"maxplayers", "3.0"}}},
			lobbywire.View{Max: new(3)},
		},
		{
			"a zero byte",
			gamespy2.Response{Info: []gamespy2.KeyValue{{"hostname", "a\x00"}}},
			lobbywire.View{Name: "a\ufffd"},
		},
		{
			"rows that are too short",
			gamespy2.Response{Players: gamespy2.Table{Columns: []string{"player_", "score_"},
				Rows: [][]string{{"Ann"}, {}}}},
			lobbywire.View{Roster: []lobbywire.Player{{Name: "Ann"}, {}}},
		},
	} {
		got := tt.m.View()
		for i, kv := range tt.m.Info {
			if got.Rules[i].Value != strings.ReplaceAll(kv.Value, "\x00", "\ufffd") {
				t.Errorf("%s: rule %d is %q", tt.name, i, got.Rules[i])
			}
		}
		got.Rules = nil
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// The known numbers of Unreal Tournament 3 have names; the numbers of other games do not.
func TestViewNamesNumberedKeysOfUT3(t *testing.T) {
	info := []gamespy2.KeyValue{{"p1073741825", "DM-Deck"}, {"s7", "1"}, {"p268435704", "50"}, {"p268435706", "6"}}
	for _, tt := range []struct {
		info []gamespy2.KeyValue
		want []lobbywire.Rule
	}{
		{info, []lobbywire.Rule{{Key: "map", Value: "DM-Deck"}, {Key: "password", Value: "1"},
			{Key: "frag_limit", Value: "50"}, {Key: "p268435706", Value: "6"}}},
		{info[1:], []lobbywire.Rule{{Key: "s7", Value: "1"}, {Key: "p268435704", Value: "50"},
			{Key: "p268435706", Value: "6"}}},
	} {
		if diff := cmp.Diff(tt.want, gamespy2.Response{Info: tt.info}.View().Rules); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// The typed forms have the view of their responses.
func TestTypedFormsHaveTheViewOfTheirResponses(t *testing.T) {
	bf2 := bf2Server(10).View()
	if bf2.Game != "battlefield2" || *bf2.Players != 10 || *bf2.Bots != 2 || bf2.Roster[3].Name != "Sailor-21" ||
		bf2.Teams[1].Name != "US" {
		t.Errorf("Battlefield 2: %+v", bf2)
	}
	minecraft := gamespy2.Minecraft{MOTD: "Reef", Map: "world", Version: "1.20.4", HostPort: new(25565),
		NumPlayers: new(1), MaxPlayers: new(20), Players: []string{"Ann"}}
	want := lobbywire.View{
		Name: "Reef", Game: "minecraft", Map: "world", Version: "1.20.4", Port: 25565,
		Players: new(1), Max: new(20), Roster: []lobbywire.Player{{Name: "Ann"}},
	}
	got := minecraft.View()
	got.Rules = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Minecraft (-want +got):\n%s", diff)
	}
	stat := minecraft.BasicStat([4]byte{}).View()
	want.Version, want.Roster = "", nil
	if diff := cmp.Diff(want, stat); diff != "" {
		t.Errorf("basic stat of Minecraft (-want +got):\n%s", diff)
	}
}
