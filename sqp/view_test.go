package sqp_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
)

// A ping that is negative or no number is unknown. A score may be negative.
func TestViewOfPlayers(t *testing.T) {
	players := &sqp.Table{Columns: []string{"name", "score", "ping"}}
	for _, row := range [][3]sqp.Value{
		{sqp.String("Ann"), sqp.Uint32(3), sqp.Uint32(40)},
		{sqp.String("Bob"), sqp.String("-3"), sqp.String("-1")},
		{sqp.String("Cid"), sqp.String("x"), sqp.String("x")},
	} {
		players.Rows = append(players.Rows, row[:])
	}
	want := []lobbywire.Player{
		{Name: "Ann", Score: new(3), Ping: new(40)}, {Name: "Bob", Score: new(-3)}, {Name: "Cid"},
	}
	if diff := cmp.Diff(want, sqp.QueryResponse{PlayerInfo: players}.View().Roster); diff != "" {
		t.Errorf("roster (-want +got):\n%s", diff)
	}
}
