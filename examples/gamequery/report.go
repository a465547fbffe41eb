package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A report is what all protocols tell of a server, and their own sections.
type report struct {
	name, level, gameType, version string
	players, maxPlayers            string
	sections                       []section
}

// A section is a table with a title.
type section struct {
	title string
	table
}

func (r report) playerCount() string {
	if r.maxPlayers == "" {
		return r.players
	}
	return r.players + "/" + r.maxPlayers
}

// reportOf returns what a message tells.
func reportOf(message any) report {
	switch m := message.(type) {
	case sqp.QueryResponse:
		return sqpReport(m)
	case gamespy2.Response:
		return gamespy2Report(m)
	case sb2.Server:
		return gamespy2Report(gamespy2.Response{Info: slices.Concat(m.Fields, m.Rules)})
	case gameagent.Status:
		return report{
			name:       gameagent.PlainName(m.SessionName),
			level:      m.Level,
			gameType:   m.GameType,
			version:    m.Version,
			players:    strconv.Itoa(m.Players),
			maxPlayers: strconv.Itoa(m.MaxPlayers),
			sections:   []section{{"more", pairs(m.Extra)}},
		}
	case gameagent.Players:
		return report{
			players:  strconv.Itoa(m.Count),
			sections: []section{{"players", gameagentPlayers(m.Players)}, {"more", pairs(m.Extra)}},
		}
	case gameagent.Ping:
		return report{players: strconv.Itoa(m.Players)}
	case gameagent.LegacyStatus:
		return report{
			name:       gameagent.PlainName(m.HostName),
			level:      m.MapName,
			gameType:   m.GameType,
			version:    m.GameVersion,
			players:    strconv.Itoa(m.NumPlayers),
			maxPlayers: strconv.Itoa(m.MaxPlayers),
			sections: []section{
				{"rules", legacyRules(m)},
				{"players", gameagentPlayers(m.Players)},
				{"more", pairs(m.Extra)},
			},
		}
	case bomberman.Server:
		return report{
			name:       m.Name,
			gameType:   m.GameplayMode.String(),
			players:    strconv.Itoa(m.Players.Current),
			maxPlayers: strconv.Itoa(m.Players.Max),
		}
	case warzone.Game:
		return report{
			name:       m.Name,
			level:      m.MapName,
			gameType:   m.GameType().String(),
			version:    m.VersionString,
			players:    fmt.Sprint(m.CurrentPlayers),
			maxPlayers: fmt.Sprint(m.MaxPlayers),
		}
	case wzproposal.Game:
		return report{name: m.Name, level: m.Map, gameType: string(m.Status), players: untold, maxPlayers: fmt.Sprint(m.MaxPlayers)}
	case wzjson.Game:
		return report{name: m.Name, level: m.Map, gameType: string(m.Tech), players: untold, maxPlayers: strconv.Itoa(m.MaxPlayers)}
	}
	return report{}
}

// untold is a number that a protocol does not tell.
const untold = "?"

func sqpReport(m sqp.QueryResponse) report {
	var r report
	if s := m.ServerInfo; s != nil {
		r.name, r.level, r.gameType, r.version = s.ServerName, s.Map, s.GameType, s.BuildID
		r.players, r.maxPlayers = fmt.Sprint(s.CurrentPlayers), fmt.Sprint(s.MaxPlayers)
	}
	var rules table
	for _, rule := range m.ServerRules {
		rules.add(rule.Key, rule.Value.String())
	}
	r.sections = append(r.sections, section{"rules", rules})
	if m.PlayerInfo != nil {
		r.sections = append(r.sections, section{"players", sqpTable(*m.PlayerInfo)})
	}
	if m.TeamInfo != nil {
		r.sections = append(r.sections, section{"teams", sqpTable(*m.TeamInfo)})
	}
	if m.Metrics != nil {
		var metrics table
		for i, v := range m.Metrics.Values {
			metrics.add(strconv.Itoa(i), fmt.Sprint(v))
		}
		r.sections = append(r.sections, section{"metrics", metrics})
	}
	return r
}

func sqpTable(m sqp.Table) table {
	t := table{header: m.Columns}
	for _, values := range m.Rows {
		row := make([]string, len(values))
		for i, v := range values {
			row[i] = v.String()
			if v.Type() == sqp.ValueString {
				row[i] = v.Text()
			}
		}
		t.add(row...)
	}
	return t
}

func gamespy2Report(m gamespy2.Response) report {
	value := func(key string) string {
		v, _ := m.Lookup(key)
		return v
	}
	var info table
	for _, kv := range m.Info {
		info.add(kv.Key, kv.Value)
	}
	return report{
		name:       value("hostname"),
		level:      value("mapname"),
		gameType:   value("gametype"),
		version:    value("gamever"),
		players:    value("numplayers"),
		maxPlayers: value("maxplayers"),
		sections: []section{
			{"info", info},
			{"players", table{header: m.Players.Columns, rows: m.Players.Rows}},
			{"teams", table{header: m.Teams.Columns, rows: m.Teams.Rows}},
		},
	}
}

func legacyRules(m gameagent.LegacyStatus) table {
	var t table
	for _, rule := range []struct {
		name string
		is   bool
	}{
		{"friendly fire", m.FriendlyFire}, {"weapons stay", m.WeaponsStay}, {"ammo stays", m.AmmoStays},
		{"health and armor stay", m.HealthArmorStays}, {"health", m.AllowHealth}, {"armor", m.AllowArmor},
		{"infinite ammo", m.InfiniteAmmo}, {"respawn in place", m.RespawnInPlace},
		{"password", m.Password}, {"VIP players", m.VIPPlayers},
	} {
		t.add(rule.name, strconv.FormatBool(rule.is))
	}
	return t
}

func gameagentPlayers(players []gameagent.Player) table {
	t := table{header: []string{"slot", "name", "frags", "ping"}}
	for _, p := range players {
		t.add(strconv.Itoa(p.Index), gameagent.PlainName(p.Name), fmt.Sprint(p.Frags), strconv.Itoa(p.Ping))
	}
	return t
}

func pairs(all []gameagent.Pair) table {
	var t table
	for _, p := range all {
		t.add(p.Key, p.Value)
	}
	return t
}
