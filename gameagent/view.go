package gameagent

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
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
// In a Status, 0 and "" may stand for missing keys. Therefore Players and Max are
// unknown if both are 0, Max if it is 0, and Rules lack such pairs. So it is for the
// other messages.
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
//	Roster    Players: Name without ^o and ^r, Frags and Ping
//	Rules     Extra
func (m Players) View() lobbywire.View {
	v := viewOf(nil, nil, m.Extra)
	v.Roster = viewRoster(m.Players)
	if !m.NotFirst {
		v.Players = lobbywire.Count(int64(m.Count))
	}
	return v
}

// View returns Players.
func (m Ping) View() lobbywire.View {
	return lobbywire.View{Players: lobbywire.Count(int64(m.Players))}
}

// View returns the status in the common form. Only the keys of Query are sent. As
// in [Status.View], 0 and "" may stand for missing keys.
//
//	Name      HostName without ^o and ^r around it; see PlainName
//	Game      GameName
//	Map       MapName
//	Mode      GameType
//	Version   GameVersion
//	Port      HostPort
//	Players   NumPlayers
//	Max       MaxPlayers
//	Password  true if Password is; else unknown, because the engine always sends 0
//	Roster    Players: Name without ^o and ^r, Frags and Ping; of other games
//	          score_#, playername_# and team_#
//	Rules     all pairs but those of players
func (m LegacyStatus) View() lobbywire.View {
	fields := m.fields()
	v := viewOf(legacyStatusKeys[:], fields[:], m.Extra)
	if m.Query.hasPlayers() {
		v.Roster = viewRoster(m.Players)
	}
	return v
}

// View returns the game and its port, which is one below QueryPort.
func (m LegacyHeartbeat) View() lobbywire.View {
	v := viewOf(nil, nil, m.Extra)
	v.Game = lobbywire.UTF8(m.GameName)
	if m.QueryPort > 0 {
		v.Port = m.QueryPort - 1
	}
	return v
}

// viewOf returns what the keys say about a server, and the pairs of all fields that are
// not zero and of extra as rules. Of a number that is malformed, the pair is in extra.
func viewOf(keys []key, fields []any, extra []Pair) (v lobbywire.View) {
	players := int64(0)
	for i, k := range keys {
		if isZero(fields[i]) {
			continue
		}
		var n int64
		var text string
		if s, ok := fields[i].(*string); ok {
			text = lobbywire.UTF8(*s)
		} else {
			n, _, _ = number(fields[i])
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
			players = n
		case "maxplayers":
			v.Max = lobbywire.Count(n)
		case "password":
			v.Password = new(true)
		}
	}
	malformed := hasKey(extra, "players") || hasKey(extra, "numplayers")
	if players > 0 || v.Max != nil && !malformed {
		v.Players = lobbywire.Count(players)
	}
	for _, p := range extra {
		v.Rules = append(v.Rules, lobbywire.Rule{Key: lobbywire.UTF8(p.Key), Value: lobbywire.UTF8(p.Value)})
	}
	return v
}

// viewRoster returns the players.
func viewRoster(players []Player) []lobbywire.Player {
	roster := make([]lobbywire.Player, len(players))
	for i, p := range players {
		roster[i] = lobbywire.Player{Name: lobbywire.UTF8(PlainName(p.Name)), Score: new(int(p.Frags)),
			Ping: lobbywire.Count(int64(p.Ping))}
		if name := p.other("playername"); p.Name == "" {
			roster[i].Name = lobbywire.UTF8(name)
		}
		if score := lobbywire.Number(p.other("score")); score != nil {
			roster[i].Score = score
		}
		roster[i].Team = lobbywire.UTF8(p.other("team"))
	}
	return roster
}

// other returns the value of a key that has no field, "" if there is none.
func (p *Player) other(key string) string {
	i := slices.IndexFunc(p.Extra, func(e Pair) bool { return strings.EqualFold(e.Key, key) })
	if i < 0 {
		return ""
	}
	return p.Extra[i].Value
}
