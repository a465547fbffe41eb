package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
)

func TestNameTeamsReplacesNumbers(t *testing.T) {
	red := []string{"Red", "Blue"}
	for _, tt := range []struct {
		name          string
		first         int
		teams         []string
		players, want []string
	}{
		{"from 1", 1, red, []string{"1", "2", " 01 ", ""}, []string{"Red", "Blue", "Red", ""}},
		{"from 1, one side only", 1, red, []string{"1"}, []string{"Red"}},
		{"from 0", 0, red, []string{"1", "0"}, []string{"Blue", "Red"}},
		{"of no team", 1, red, []string{"1", "3"}, []string{"1", "3"}},
		{"of no team, below", 1, red, []string{"1", "0"}, []string{"1", "0"}},
		{"negative", 0, red, []string{"-1", "0"}, []string{"-1", "0"}},
		{"no teams", 1, nil, []string{"1"}, []string{"1"}},
		{"no players", 1, red, nil, nil},
		{"names", 1, red, []string{"Blue", "1"}, []string{"Blue", "1"}},
		{"names that are numbers", 1, []string{"2", "1"}, []string{"1", "2"}, []string{"1", "2"}},
		{"other texts", 1, red, []string{"axis", "2"}, []string{"axis", "Blue"}},
		{"a team without a name", 1, []string{"", "Blue"}, []string{"1", "2"}, []string{"1", "Blue"}},
		{"unknown, the last team", -1, red, []string{"1", "2"}, []string{"Red", "Blue"}},
		{"unknown, the last team only", -1, red, []string{"2"}, []string{"Blue"}},
		{"unknown, team 0", -1, red, []string{"1", "0"}, []string{"Blue", "Red"}},
		{"unknown, neither", -1, red, []string{"1"}, []string{"1"}},
		{"unknown, both", -1, red, []string{"0", "1", "2"}, []string{"0", "1", "2"}},
		{"unknown, of no team", -1, red, []string{"1", "2", "255"}, []string{"1", "2", "255"}},
		{"unknown, no teams", -1, nil, []string{"0"}, []string{"0"}},
		{"unknown, no numbers", -1, red, []string{"", "x"}, []string{"", "x"}},
	} {
		var v lobbywire.View
		for _, team := range tt.teams {
			v.Teams = append(v.Teams, lobbywire.Team{Name: team})
		}
		for _, team := range tt.players {
			v.Roster = append(v.Roster, lobbywire.Player{Team: team})
		}
		NameTeams(&v, tt.first)
		var got []string
		for _, p := range v.Roster {
			got = append(got, p.Team)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
