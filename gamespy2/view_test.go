package gamespy2_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
)

func TestView(t *testing.T) {
	bots := gamespy2.Table{
		Columns: []string{"player_", "AIBot_"},
		Rows:    [][]string{{" Ann", "0"}, {"TAG Bo", "1"}},
	}
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
			"rows that are too short",
			gamespy2.Response{Players: gamespy2.Table{Columns: []string{"player_", "score_"},
				Rows: [][]string{{"Ann"}, {}}}},
			lobbywire.View{Roster: []lobbywire.Player{{Name: "Ann"}, {}}},
		},
	} {
		got := tt.m.View()
		for i, kv := range tt.m.Info {
			if diff := cmp.Diff(lobbywire.Rule{Key: kv.Key, Value: kv.Value}, got.Rules[i]); diff != "" {
				t.Errorf("%s: rule %d (-want +got):\n%s", tt.name, i, diff)
			}
		}
		got.Rules = nil
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// The typed forms have the view of their responses.
func TestViewOfTypedForms(t *testing.T) {
	bf2 := bf2Server(10).View()
	if bf2.Game != "battlefield2" || *bf2.Players != 10 || *bf2.Bots != 2 || bf2.Roster[3].Name != "Sailor-21" ||
		bf2.Teams[1].Name != "US" {
		t.Errorf("Battlefield 2: %+v", bf2)
	}
	minecraft := gamespy2.Minecraft{MOTD: "Reef", Map: "world", Version: "1.20.4", HostPort: 25565, MaxPlayers: 20,
		Players: []string{"Ann"}}
	want := lobbywire.View{
		Name: "Reef", Game: "minecraft", Map: "world", Version: "1.20.4", Port: 25565,
		Players: new(0), Max: new(20), Roster: []lobbywire.Player{{Name: "Ann"}},
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
