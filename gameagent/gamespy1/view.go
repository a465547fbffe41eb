package gamespy1

import (
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// View returns the status in the common form, from the keys that belong to Query. An empty
// text may stand for a missing key, so Rules omit pairs with an empty value.
//
//	Name      HostName without ^o and ^r around it; see
//	          gameagent.PlainName
//	Game      GameName
//	Map       MapName
//	Mode      GameType
//	Version   GameVersion
//	Port      HostPort
//	Players   NumPlayers
//	Bots      numbots, or the number of players whose ngsecret_# is Bot, if all are listed
//	Max       MaxPlayers
//	Password  Password; from Serious Sam only if true, because it always sends 0
//	Roster    Players; unknown if none is listed, unless NumPlayers is 0
//	Teams     teamname_# or tname_# or team_t#, and teamscore_# or tscore_# or score_t#
//	Rules     all pairs except those of players
//
//	Spectators  the number of players whose mesh_# is Spectator, or whose team_# is 255,
//	            which is none, while others have a team
//
// Roster may have more players than Players, since not every server counts bots and
// spectators. Players with ping 0 are bots if numbots is their number. Battlefield 1942
// sends players who have left after the others: Roster omits those beyond NumPlayers.
//
// The fields of a player are
//
//	Name      Name without ^o and ^r around it, or playername_#
//	Score     score_#, or frags_#; one with a fraction is rounded
//	Ping      Ping
//	Team      team_#, or the name of the team with this number. Players of Battlefield
//	          1942 count teams from 1, which count from 0 themselves
//	Kills     kills_#, or frags_# if there is also score_#
//	Deaths    deaths_#
//	Rules     other pairs
func (m Status) View() lobbywire.View {
	fields := m.fields()
	v := pairs.View(statusKeys[:], fields[:], m.Extra)
	v.Name = gameagent.PlainName(v.Name)
	if v.Password != nil && !*v.Password && isSeriousSam(m.GameName) {
		v.Password = nil
	}
	if !m.Query.hasPlayers() {
		return v
	}
	players := m.Players
	if m.isBattlefield1942() && v.Players != nil {
		players = players[:min(*v.Players, len(players))]
	}
	v.Roster = pairs.Roster(players, v.Players, (*Player).view)
	wire.CountKinds(&v, m.Partial)
	indexes := m.viewTeams(&v)
	first := 0
	isTeam := slices.Contains(indexes, len(indexes)) // they count from 1
	if m.isBattlefield1942() || !isTeam && hasTeam(v.Roster, len(indexes)) {
		first = 1
	}
	for i := range v.Roster {
		p := &v.Roster[i]
		if n := wire.Number(p.Team); n != nil {
			if at := slices.Index(indexes, *n-first); at >= 0 && v.Teams[at].Name != "" {
				p.Team = v.Teams[at].Name
			}
		}
	}
	return v
}

// viewTeams sets the teams in v and returns their indexes.
func (m *Status) viewTeams(v *lobbywire.View) (indexes []int) {
	for _, p := range m.Extra {
		field, index := cutTeam(strings.ToLower(p.Key))
		if field == notTeam {
			continue
		}
		at := slices.Index(indexes, index)
		if at < 0 {
			at = len(indexes)
			indexes = append(indexes, index)
			v.Teams = append(v.Teams, lobbywire.Team{})
		}
		switch t := &v.Teams[at]; {
		case field == teamName && t.Name == "":
			t.Name = lobbywire.UTF8(p.Value)
		case field == teamScore && t.Score == nil:
			t.Score = wire.Score(p.Value)
		}
	}
	return indexes
}

// isBattlefield1942 reports whether the game is Battlefield 1942. Its expansions and its demo
// have longer names.
func (m *Status) isBattlefield1942() bool {
	return strings.HasPrefix(strings.ToLower(m.GameName), "bfield1942")
}

// hasTeam reports whether a player belongs to the team with number n, from 1.
func hasTeam(roster []lobbywire.Player, n int) bool {
	return n > 0 && slices.ContainsFunc(roster, func(p lobbywire.Player) bool {
		team := wire.Number(p.Team)
		return team != nil && *team == n
	})
}

// isSeriousSam reports whether a game is Serious Sam.
func isSeriousSam(gameName string) bool {
	return strings.HasPrefix(strings.ToLower(gameName), "serioussam")
}

// GamePort returns the port of a game whose server answers queries at a port: the port
// below it for Serious Sam, and 0, unknown, for other games.
func GamePort(gameName string, query uint16) uint16 {
	if query == 0 || !isSeriousSam(gameName) {
		return 0
	}
	return query - 1
}

// View returns the game and, if it is known, its port: see [GamePort].
func (m Heartbeat) View() lobbywire.View {
	v := pairs.View(nil, nil, m.Extra)
	v.Game = lobbywire.UTF8(m.GameName)
	v.Port = GamePort(m.GameName, m.QueryPort)
	return v
}
