package sqp_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
)

// A ping that is negative or no number is unknown. A score may be negative, and is rounded.
func TestViewRoundsScoresAndLeavesOutWrongPings(t *testing.T) {
	players := &sqp.Table{Columns: []string{"name", "score", "ping"}}
	for _, row := range [][3]sqp.Value{
		{sqp.String("Ann"), sqp.Uint32(3), sqp.Uint32(40)},
		{sqp.String("Bob"), sqp.String("-3"), sqp.String("-1")},
		{sqp.String("Cid"), sqp.String("x"), sqp.String("x")},
		{sqp.String("Dee"), sqp.Float32(4.5), sqp.String("4.5")},
		{sqp.String("Eve"), sqp.Float32(1234567), sqp.Float32(40)},
		{sqp.String("Fay"), sqp.Float32(float32(math.NaN())), sqp.Float32(float32(math.Inf(1)))},
	} {
		players.Rows = append(players.Rows, row[:])
	}
	want := []lobbywire.Player{
		{Name: "Ann", Score: new(3), Ping: new(40)}, {Name: "Bob", Score: new(-3)}, {Name: "Cid"},
		{Name: "Dee", Score: new(5)}, {Name: "Eve", Score: new(1234567), Ping: new(40)}, {Name: "Fay"},
	}
	if diff := cmp.Diff(want, sqp.QueryResponse{PlayerInfo: players}.View().Roster); diff != "" {
		t.Errorf("roster (-want +got):\n%s", diff)
	}
}

// A table without rows lists no players, except if there are some.
func TestPlayersWhoAreNotListedAreUnknown(t *testing.T) {
	none := &sqp.Table{Columns: []string{"name"}}
	for _, tt := range []struct {
		info    *sqp.ServerInfo
		unknown bool
	}{
		{nil, false},
		{&sqp.ServerInfo{}, false},
		{&sqp.ServerInfo{CurrentPlayers: 2}, true},
	} {
		got := sqp.QueryResponse{ServerInfo: tt.info, PlayerInfo: none}.View().Roster
		if (got == nil) != tt.unknown {
			t.Errorf("%+v: %v", tt.info, got)
		}
	}
}

// Columns that Views have fields for are found by their names; all others are rules.
func TestViewFindsColumnsByTheirNames(t *testing.T) {
	texts := func(row ...string) (values []sqp.Value) {
		for _, text := range row {
			values = append(values, sqp.String(text))
		}
		return values
	}
	m := sqp.QueryResponse{
		PlayerInfo: &sqp.Table{
			Columns: []string{"Player_Name", "kills", "playerDeaths", "Team", "bot", "ping", "class", "score", "class"},
			Rows: [][]sqp.Value{
				texts("Ada", " 3", "04", "1", "True", "12.0", "medic", "many", "x"),
				{sqp.String("Bo"), sqp.Byte(0), sqp.Uint32(7), sqp.Byte(0), sqp.Byte(0), sqp.Byte(9), sqp.Uint16(5)},
				texts("Cy", "", "", "", "", "", "", "", ""),
			},
		},
		TeamInfo: &sqp.Table{Columns: []string{"teamName", "score"},
			Rows: [][]sqp.Value{texts("Red", "5"), texts("Blue", "")}},
	}
	got := m.View()
	want := []lobbywire.Player{
		{Name: "Ada", Kills: new(3), Deaths: new(4), Team: "Blue", Bot: new(true), Ping: new(12),
			Rules: []lobbywire.Rule{{Key: "class", Value: "medic"}, {Key: "class", Value: "x"}}},
		{Name: "Bo", Kills: new(0), Deaths: new(7), Team: "Red", Bot: new(false), Ping: new(9),
			Rules: []lobbywire.Rule{{Key: "class", Value: "5"}}},
		{Name: "Cy"},
	}
	if diff := cmp.Diff(want, got.Roster); diff != "" {
		t.Errorf("players (-want +got):\n%s", diff)
	}
	teams := []lobbywire.Team{{Name: "Red", Score: new(5)}, {Name: "Blue"}}
	if diff := cmp.Diff(teams, got.Teams); diff != "" {
		t.Errorf("teams (-want +got):\n%s", diff)
	}
}
