package sqpnet_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// A column of numbers has texts if one of them is negative or above 31 bits.
func TestSetViewSendsLargeNumbersAsText(t *testing.T) {
	type row struct {
		score *int
		want  sqp.Value
	}
	rows := []row{
		{nil, sqp.Uint32(0)},
		{new(0), sqp.Uint32(0)},
		{new(math.MaxInt32), sqp.Uint32(math.MaxInt32)},
		{new(-1), sqp.String("-1")},
	}
	const above = "2147483648"
	if n, err := strconv.Atoi(above); err == nil { // an int has 64 bits
		rows = append(rows, row{&n, sqp.String(above)})
	}
	for _, tt := range rows {
		var s sqpnet.Server
		v := lobbywire.View{
			Roster: []lobbywire.Player{{Score: tt.score, Ping: tt.score}},
			Teams:  []lobbywire.Team{{Score: tt.score}},
		}
		if changed := s.SetView(v); changed != nil {
			t.Errorf("%v: %q are changed", tt.want, changed)
		}
		const tables = sqp.ChunkPlayerInfo | sqp.ChunkTeamInfo
		answer := respond(&s, asker, query(t, tokenFor(t, &s, asker), tables))
		m, err := sqp.ParseQueryResponse(answer, tables)
		if err != nil {
			t.Fatal(err)
		}
		got := []sqp.Value{m.PlayerInfo.Rows[0][1], m.PlayerInfo.Rows[0][2], m.TeamInfo.Rows[0][1]}
		if diff := cmp.Diff([]sqp.Value{tt.want, tt.want, tt.want}, got, cmp.AllowUnexported(sqp.Value{})); diff != "" {
			t.Errorf("score, ping and score of a team (-want +got):\n%s", diff)
		}
	}
}

// A score of a team alone decides the type of the scores of players too, and a ping
// decides only the type of pings.
func TestEachColumnHasItsOwnType(t *testing.T) {
	for _, tt := range []struct {
		name        string
		view        lobbywire.View
		score, ping sqp.ValueType
	}{
		{"empty", lobbywire.View{}, sqp.ValueUint32, sqp.ValueUint32},
		{"team", lobbywire.View{Teams: []lobbywire.Team{{Score: new(-1)}}}, sqp.ValueString, sqp.ValueUint32},
		{"ping", lobbywire.View{Roster: []lobbywire.Player{{Ping: new(-1)}}}, sqp.ValueUint32, sqp.ValueString},
	} {
		var s sqpnet.Server
		s.SetView(tt.view)
		answer := respond(&s, asker, query(t, tokenFor(t, &s, asker), sqp.ChunkPlayerInfo))
		m, err := sqp.ParseQueryResponse(answer, sqp.ChunkPlayerInfo)
		if err != nil {
			t.Fatal(err)
		}
		want := []sqp.ValueType{sqp.ValueString, tt.score, tt.ping, sqp.ValueString}
		if diff := cmp.Diff(want, m.PlayerInfo.Types); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// Counts are clamped to 16 bits, and do not limit each other.
func TestSetViewClampsCounts(t *testing.T) {
	for _, tt := range []struct {
		players, places         int
		wantPlayers, wantPlaces uint16
		changed                 []string
	}{
		{0, 0, 0, 0, nil},
		{65535, 65535, 65535, 65535, nil},
		{65536, 65535, 65535, 65535, []string{"players"}},
		{65535, 65536, 65535, 65535, []string{"max"}},
		{65536 + 5, 65536 + 8, 65535, 65535, []string{"players", "max"}},
		{math.MaxInt32, math.MinInt32, 65535, 0, []string{"players", "max"}},
		{-1, 16, 0, 16, []string{"players"}},
		{5, -1, 5, 0, []string{"max"}},
		{41, 16, 41, 16, nil},
	} {
		var s sqpnet.Server
		changed := s.SetView(lobbywire.View{Players: &tt.players, Max: &tt.places})
		answer := respond(&s, asker, query(t, tokenFor(t, &s, asker), sqp.ChunkServerInfo))
		m, err := sqp.ParseQueryResponse(answer, sqp.ChunkServerInfo)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.ServerInfo; got.CurrentPlayers != tt.wantPlayers || got.MaxPlayers != tt.wantPlaces {
			t.Errorf("%d of %d: %d of %d", tt.players, tt.places, got.CurrentPlayers, got.MaxPlayers)
		}
		if diff := cmp.Diff(tt.changed, changed); diff != "" {
			t.Errorf("%d of %d: changed (-want +got):\n%s", tt.players, tt.places, diff)
		}
	}
}
