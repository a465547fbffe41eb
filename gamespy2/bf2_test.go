package gamespy2_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

func TestBF2SurvivesItsResponse(t *testing.T) {
	want := bf2Server(9)
	for _, coop := range []*int{nil, new(0), new(50)} {
		want.CoopBotRatio, want.CoopBotCount, want.CoopBotDifficulty = coop, coop, coop
		m := want.Response(testID)
		m, err := gamespy2.ParseResponse(mustAppend(t, m))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, m.BF2()); diff != "" {
			t.Errorf("coop %v (-want +got):\n%s", coop, diff)
		}
	}
}

// The keys and columns are from the game, in its order.
func TestBF2SendsTheKeysOfTheGame(t *testing.T) {
	m := bf2Response(1)
	var keys []string
	for _, kv := range m.Info {
		keys = append(keys, kv.Key)
	}
	want := []string{
		"hostname", "gamename", "gamever", "mapname", "gametype", "gamevariant", "numplayers",
		"maxplayers", "gamemode", "password", "timelimit", "roundtime", "hostport", "bf2_dedicated",
		"bf2_ranked", "bf2_anticheat", "bf2_os", "bf2_autorec", "bf2_d_idx", "bf2_d_dl", "bf2_voip",
		"bf2_autobalanced", "bf2_friendlyfire", "bf2_tkmode", "bf2_startdelay", "bf2_spawntime",
		"bf2_sponsortext", "bf2_sponsorlogo_url", "bf2_communitylogo_url", "bf2_scorelimit",
		"bf2_ticketratio", "bf2_teamratio", "bf2_team1", "bf2_team2", "bf2_bots", "bf2_pure",
		"bf2_mapsize", "bf2_globalunlocks", "bf2_fps", "bf2_plasma", "bf2_reservedslots",
		"bf2_coopbotratio", "bf2_coopbotcount", "bf2_coopbotdiff", "bf2_novehicles",
	}
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	columns := []string{"player_", "score_", "ping_", "team_", "deaths_", "pid_", "skill_", "AIBot_"}
	if diff := cmp.Diff(columns, m.Players.Columns); diff != "" {
		t.Errorf("player columns (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"team_t", "score_t"}, m.Teams.Columns); diff != "" {
		t.Errorf("team columns (-want +got):\n%s", diff)
	}
	for key, want := range map[string]string{
		"password": "0", "bf2_ranked": "1", "bf2_spawntime": "15.000000", "bf2_fps": "35.500000",
		"bf2_coopbotratio": "",
	} {
		if got, _ := m.Lookup(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
}

func TestBF2ReadsARealResponse(t *testing.T) {
	m, err := gamespy2.ParseResponse(golden.Read(t, "v3_single_6players"))
	if err != nil {
		t.Fatal(err)
	}
	v := m.BF2()
	if v.MapName != "Strike At Karkand" || *v.MaxPlayers != 64 || !*v.Ranked || v.CoopBotRatio != nil ||
		len(v.Players) != 6 || *v.Players[5].PID != 500000005 || v.Teams[1].Name != "US" {
		t.Errorf("got %+v", v)
	}
}

func TestBF2ReadsOrLeavesOutValues(t *testing.T) {
	of := func(key, value string) gamespy2.Response {
		return gamespy2.Response{Info: []gamespy2.KeyValue{{Key: key, Value: value}}}
	}
	for _, tt := range []struct {
		name string
		m    gamespy2.Response
		want gamespy2.BF2
	}{
		{"nothing", gamespy2.Response{}, gamespy2.BF2{}},
		{"unknown key", of("bf2_new", "x"), gamespy2.BF2{}},
		{"true", of("password", "1"), gamespy2.BF2{Password: new(true)}},
		{"yes", of("password", "yes"), gamespy2.BF2{Password: new(true)}},
		{"no", of("password", "No"), gamespy2.BF2{Password: new(false)}},
		{"empty flag", of("password", ""), gamespy2.BF2{}},
		{"no flag", of("password", "maybe"), gamespy2.BF2{}},
		{"empty number", of("bf2_fps", ""), gamespy2.BF2{}},
		{"blank number", of("maxplayers", " "), gamespy2.BF2{}},
		{"blank before a number", of("maxplayers", " 08"), gamespy2.BF2{MaxPlayers: new(8)}},
		{"no number", of("numplayers", "many"), gamespy2.BF2{}},
		{"negative number", of("bf2_scorelimit", "-1"), gamespy2.BF2{ScoreLimit: new(-1)}},
		{"number with a fraction", of("bf2_fps", " 35.5"), gamespy2.BF2{FPS: new(35.5)}},
		{"comma", of("bf2_teamratio", "1,5"), gamespy2.BF2{}},
		{"infinity", of("bf2_teamratio", "inf"), gamespy2.BF2{}},
		{"exponent", of("bf2_teamratio", "1e3"), gamespy2.BF2{}},
		{"hexadecimal", of("bf2_fps", "0x10"), gamespy2.BF2{}},
		{"bots of number 0", of("bf2_coopbotcount", "0"), gamespy2.BF2{CoopBotCount: new(0)}},
	} {
		got := tt.m.BF2()
		tt.want.Players, tt.want.Teams = []gamespy2.BF2Player{}, []gamespy2.BF2Team{}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	m := bf2Response(2)
	m.Players.Rows[1][2] = "fast"
	m.Teams.Rows[0][1] = "many"
	if v := m.BF2(); v.Players[1].Ping != nil || *v.Players[0].Ping != 20 || v.Teams[0].Score != nil {
		t.Errorf("players %+v, teams %+v", v.Players, v.Teams)
	}
}

// What is unknown is sent as servers send it, and is unknown to the reader.
func TestBF2KeepsTheUnknownUnknown(t *testing.T) {
	want := gamespy2.BF2{
		HostName: "Reef",
		Players:  []gamespy2.BF2Player{{Name: " Ann", Score: new(1)}, {Name: " Bo", Team: new(2)}},
		Teams:    []gamespy2.BF2Team{{Name: "MEC"}, {Name: "US"}},
	}
	m := want.Response(testID)
	if value, ok := m.Lookup("bf2_fps"); value != "" || !ok {
		t.Errorf("bf2_fps is %q, %v", value, ok)
	}
	players := gamespy2.Table{Columns: []string{"player_", "score_", "team_"},
		Rows: [][]string{{" Ann", "1", " "}, {" Bo", " ", "2"}}}
	if diff := cmp.Diff(players, m.Players); diff != "" {
		t.Errorf("players (-want +got):\n%s", diff)
	}
	m, err := gamespy2.ParseResponse(mustAppend(t, m))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, m.BF2()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The document names two columns that servers do not send.
func TestBF2ReadsColumnsOfTheDocument(t *testing.T) {
	m, err := gamespy2.ParseResponse(golden.Read(t, "document_end"))
	if err != nil || !m.Partial {
		t.Fatalf("partial %v, %v", m.Partial, err)
	}
	got := m.BF2()
	want := []gamespy2.BF2Player{
		{" Ann", new(12), new(40), new(1), new(3), new(40000000), new(5), new(false)},
		{"[X] Bo", new(-1), new(55), new(2), new(4), new(40001234), new(6), new(true)},
	}
	if diff := cmp.Diff(want, got.Players); diff != "" {
		t.Errorf("players (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]gamespy2.BF2Team{{Name: "MEC"}, {Name: "US"}}, got.Teams); diff != "" {
		t.Errorf("teams (-want +got):\n%s", diff)
	}
}
