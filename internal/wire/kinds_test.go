package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
)

func TestCountKindsMarksAIPlayers(t *testing.T) {
	row := func(team, mesh, secret string) (p lobbywire.Player) {
		p.Team = team
		for _, r := range []lobbywire.Rule{{Key: "mesh", Value: mesh}, {Key: "NGSecret_", Value: secret}} {
			if r.Value != "" {
				p.Rules = append(p.Rules, r)
			}
		}
		return p
	}
	ping := func(ms int) lobbywire.Player { return lobbywire.Player{Ping: new(ms)} }
	player, bot := row("0", "Boss", "true"), row("1", "Boss", "Bot")
	spectator := row("255", "Spectator", "true")
	for _, tt := range []struct {
		name             string
		players, stated  *int // stated is the number of bots
		partial          bool
		rows             []lobbywire.Player
		spectators, bots *int
		marked           int // rows
	}{
		{"nobody", new(0), nil, false, nil, nil, nil, 0},
		{"rows that say nothing", new(1), nil, false, []lobbywire.Player{{}, {}}, nil, nil, 0},
		{"a spectator, then a player", new(1), nil, false, []lobbywire.Player{spectator, player}, new(1), nil, 0},
		{"a spectator in the middle, counted", new(3), nil, false,
			[]lobbywire.Player{player, spectator, player}, new(1), nil, 0},
		{"spectators only", new(0), nil, false, []lobbywire.Player{spectator, spectator}, new(2), nil, 0},
		{"no count", nil, nil, false, []lobbywire.Player{spectator, bot}, new(1), new(1), 1},
		{"a row is missing", new(3), new(2), false, []lobbywire.Player{spectator, bot}, nil, new(2), 1},
		{"a packet is missing", new(1), nil, true, []lobbywire.Player{spectator, bot}, nil, nil, 1},
		{"bots of a mod", new(1), nil, false, []lobbywire.Player{bot, player, bot, spectator}, new(1), new(2), 2},
		{"a spectator who was a bot", new(0), nil, false, []lobbywire.Player{row("255", "Spectator", "bot")}, new(1), nil, 0},

		{"a mesh in another case, and no team", new(0), nil, false,
			[]lobbywire.Player{row("", " spectator", "")}, new(1), nil, 0},
		{"a mesh of a player without a team", new(1), nil, false,
			[]lobbywire.Player{row("255", "Nali Cow", ""), player}, nil, nil, 0},
		{"no mesh, others have a team", new(1), nil, false,
			[]lobbywire.Player{row("255", "", ""), row("0", "", "")}, new(1), nil, 0},
		{"no mesh, the team of the web admin", new(1), nil, false,
			[]lobbywire.Player{row("255", "None", ""), player}, new(1), nil, 0},
		{"no mesh, nobody has a team", new(2), nil, false,
			[]lobbywire.Player{row("255", "", ""), row("255", "", "")}, nil, nil, 0},
		{"no mesh, nobody has a team or counts", new(0), nil, false, []lobbywire.Player{row("255", "", "")}, new(1), nil, 0},
		{"teams by name", new(1), nil, false, []lobbywire.Player{row("255", "", ""), row("Red", "", "")}, nil, nil, 0},

		{"idle bots", new(1), new(2), false, []lobbywire.Player{ping(0), ping(60), ping(0)}, nil, new(2), 2},
		{"more idle players than bots", new(3), new(1), false,
			[]lobbywire.Player{ping(0), ping(60), ping(0)}, nil, new(1), 0},
		{"fewer idle players than bots", new(1), new(2), false, []lobbywire.Player{ping(0), ping(60)}, nil, new(2), 0},
		{"idle players, bots unknown", new(1), nil, false, []lobbywire.Player{ping(0)}, nil, nil, 0},
		{"an idle player, no bots", new(1), new(0), false, []lobbywire.Player{ping(0)}, nil, new(0), 0},
		{"idle bots, rows missing", new(9), new(1), false, []lobbywire.Player{ping(0)}, nil, new(1), 0},
	} {
		v := lobbywire.View{Players: tt.players, Bots: tt.stated, Roster: tt.rows}
		for i := range v.Roster {
			v.Roster[i].Bot = nil
		}
		CountKinds(&v, tt.partial)
		if diff := cmp.Diff([]*int{tt.spectators, tt.bots}, []*int{v.Spectators, v.Bots}); diff != "" {
			t.Errorf("%s: spectators and bots (-want +got):\n%s", tt.name, diff)
		}
		marked := 0
		for _, p := range v.Roster {
			if p.Bot != nil && *p.Bot {
				marked++
			}
		}
		if marked != tt.marked || len(v.Roster) != len(tt.rows) {
			t.Errorf("%s: %d bots of %d players are marked, want %d of %d", tt.name, marked, len(v.Roster),
				tt.marked, len(tt.rows))
		}
	}
}
