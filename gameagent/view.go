package gameagent

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// View returns the status in the common form. The port of the game is not part of
// it: it is one below the port that answered.
//
//	Name      SessionName without ^o and ^r around it; see PlainName
//	Game      GameName
//	Map       Level
//	Mode      GameType
//	Version   Version
//	Players   Players
//	Max       MaxPlayers
//	Rules     all pairs
//
// In a Status, "" may stand for a missing key, so Rules omit pairs with an empty value. The
// same applies to the other messages.
func (m Status) View() lobbywire.View {
	fields := m.fields()
	return viewOf(statusKeys[:], fields[:], m.Extra)
}

// View returns the server of the heartbeat in the common form, for masters, as
// [Status.View] does, with Product in Game. Name is unknown.
func (m Heartbeat) View() lobbywire.View {
	m.Challenge = 0 // which is for the master only
	fields := m.fields()
	return viewOf(heartbeatKeys[:], fields[:], m.Extra)
}

// View returns the players.
//
//	Players   Count, unless NotFirst
//	Roster    Players, of which the comment of [LegacyStatus.View] shows the fields; unknown
//	          if none is listed although Count is not 0
//	Rules     Extra
func (m Players) View() lobbywire.View {
	v := viewOf(nil, nil, m.Extra)
	if !m.NotFirst {
		v.Players = lobbywire.Count(int64(m.Count))
	}
	v.Roster = viewRoster(m.Players, v.Players)
	return v
}

// View returns Players.
func (m Ping) View() lobbywire.View {
	return lobbywire.View{Players: lobbywire.Count(int64(m.Players))}
}

// View returns the status in the common form. Only the keys of Query are sent. As
// in [Status.View], "" may stand for a missing key.
//
//	Name      HostName without ^o and ^r around it; see PlainName
//	Game      GameName
//	Map       MapName
//	Mode      GameType
//	Version   GameVersion
//	Port      HostPort
//	Players   NumPlayers
//	Bots      numbots, or the number of players whose ngsecret_# is Bot, if all are listed
//	Max       MaxPlayers
//	Password  Password; of Serious Sam only if it is true, because the engine always
//	          sends 0
//	Roster    Players; unknown if none is listed, unless NumPlayers is 0
//	Teams     teamname_# or tname_# or team_t#, and teamscore_# or tscore_# or score_t#
//	Rules     all pairs but those of players
//
//	Spectators  the number of players whose mesh_# is Spectator, or whose team_# is 255,
//	            which is none, while others have a team
//
// Roster may have more players than Players, since not every server counts bots and
// spectators. Players with ping 0 are bots if there are as many as numbots. Battlefield 1942
// sends players who have left after the others: those beyond NumPlayers are not in Roster.
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
func (m LegacyStatus) View() lobbywire.View {
	fields := m.fields()
	v := viewOf(legacyStatusKeys[:], fields[:], m.Extra)
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
	v.Roster = viewRoster(players, v.Players)
	wire.CountKinds(&v, m.Partial)
	indexes := m.viewTeams(&v)
	first := 0
	isTeam := slices.Contains(indexes, len(indexes)) // they count from 1
	if m.isBattlefield1942() || !isTeam && hasTeam(v.Roster, len(indexes)) {
		first = 1
	}
	for i := range v.Roster {
		p := &v.Roster[i]
		if n := lobbywire.Number(p.Team); n != nil {
			if at := slices.Index(indexes, *n-first); at >= 0 && v.Teams[at].Name != "" {
				p.Team = v.Teams[at].Name
			}
		}
	}
	return v
}

// viewTeams sets the teams in v and returns their indexes.
func (m *LegacyStatus) viewTeams(v *lobbywire.View) (indexes []int) {
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
func (m *LegacyStatus) isBattlefield1942() bool {
	return strings.HasPrefix(strings.ToLower(m.GameName), "bfield1942")
}

// hasTeam reports whether a player belongs to the team with number n, from 1.
func hasTeam(roster []lobbywire.Player, n int) bool {
	return n > 0 && slices.ContainsFunc(roster, func(p lobbywire.Player) bool {
		team := lobbywire.Number(p.Team)
		return team != nil && *team == n
	})
}

// isSeriousSam reports whether a game is Serious Sam, for which the engine was made.
func isSeriousSam(gameName string) bool {
	return strings.HasPrefix(strings.ToLower(gameName), "serioussam")
}

// LegacyGamePort returns the port of a game whose server answers queries at a port. It is
// one below it in Serious Sam. In other games it is unknown, and the result is 0.
func LegacyGamePort(gameName string, query uint16) uint16 {
	if query == 0 || !isSeriousSam(gameName) {
		return 0
	}
	return query - 1
}

// View returns the game and, if it is known, its port: see [LegacyGamePort].
func (m LegacyHeartbeat) View() lobbywire.View {
	v := viewOf(nil, nil, m.Extra)
	v.Game = lobbywire.UTF8(m.GameName)
	v.Port = LegacyGamePort(m.GameName, m.QueryPort)
	return v
}

// viewOf returns what the keys say about a server, and the pairs of all fields that are
// set and of extra as rules.
func viewOf(keys []key, fields []any, extra []Pair) (v lobbywire.View) {
	for i, k := range keys {
		if !isSet(fields[i]) {
			continue
		}
		var n int64
		var text string
		if s, ok := fields[i].(*string); ok {
			text = lobbywire.UTF8(*s)
		} else {
			n = number(fields[i])
			text = strconv.FormatInt(n, 10)
		}
		v.Rules = append(v.Rules, lobbywire.Rule{Key: k.wire, Value: text})
		switch k.wire {
		case "sessionname", "hostname":
			v.Name = PlainName(text)
		case "gamename", "product":
			v.Game = text
		case "level", "mapname":
			v.Map = text
		case "gametype":
			v.Mode = text
		case "version", "gamever":
			v.Version = text
		case "hostport":
			v.Port = uint16(n)
		case "players", "numplayers":
			v.Players = lobbywire.Count(n)
		case "maxplayers":
			v.Max = lobbywire.Count(n)
		case "password":
			v.Password = new(n != 0)
		}
	}
	for _, p := range extra {
		if v.Bots == nil && strings.EqualFold(p.Key, "numbots") {
			if n := lobbywire.Number(p.Value); n != nil {
				v.Bots = lobbywire.Count(int64(*n))
			}
		}
		v.Rules = append(v.Rules, lobbywire.Rule{Key: lobbywire.UTF8(p.Key), Value: lobbywire.UTF8(p.Value)})
	}
	return v
}

// viewRoster returns the players. If no player is listed, they are unknown unless count is 0.
func viewRoster(players []Player, count *int) []lobbywire.Player {
	if len(players) == 0 && (count == nil || *count > 0) {
		return nil
	}
	roster := make([]lobbywire.Player, len(players))
	for i, p := range players {
		roster[i] = p.view()
	}
	return roster
}

// view returns the player in the common form.
func (p *Player) view() lobbywire.Player {
	v := lobbywire.Player{Name: lobbywire.UTF8(PlainName(p.Name))}
	if p.Ping != nil {
		v.Ping = lobbywire.Count(int64(*p.Ping))
	}
	var frags *int
	if p.Frags != nil {
		frags = new(int(*p.Frags))
	}
	for _, e := range p.Extra {
		key := strings.ToLower(e.Key)
		switch {
		case key == "playername" && p.Name == "" && v.Name == "":
			v.Name = lobbywire.UTF8(e.Value)
		case key == "team" && v.Team == "":
			v.Team = lobbywire.UTF8(e.Value)
		case key == "score" && setNumber(&v.Score, wire.Score(e.Value)):
		case key == "frags" && setNumber(&frags, wire.Score(e.Value)):
		case key == "kills" && setNumber(&v.Kills, lobbywire.Number(e.Value)):
		case key == "deaths" && setNumber(&v.Deaths, lobbywire.Number(e.Value)):
		default:
			v.Rules = append(v.Rules, lobbywire.Rule{Key: lobbywire.UTF8(e.Key), Value: lobbywire.UTF8(e.Value)})
		}
	}
	if !setNumber(&v.Score, frags) {
		setNumber(&v.Kills, frags)
	}
	return v
}

// setNumber sets a number that is not known yet, and reports whether it has.
func setNumber(to **int, n *int) bool {
	if *to != nil || n == nil {
		return false
	}
	*to = n
	return true
}
