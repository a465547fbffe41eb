package main

import (
	"fmt"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/sqp"
)

// A section is a table with a title.
type section struct {
	title string
	table
}

// unknownCell is the cell of a table for an unknown value.
const unknownCell = "?"

// playerCount returns the numbers of players and places, such as 3/16, or "" if both
// are unknown.
func playerCount(v lobbywire.View) string {
	if v.Players == nil && v.Max == nil {
		return ""
	}
	text := unknownCell
	if v.Players != nil {
		text = strconv.Itoa(*v.Players)
	}
	if v.Max != nil {
		text += "/" + strconv.Itoa(*v.Max)
	}
	return text
}

// sectionsOf returns the tables of an answer, with the names of its protocol.
func sectionsOf(message any) []section {
	switch m := message.(type) {
	case sqp.QueryResponse:
		return sqpSections(m)
	case gamespy2.Response:
		var info table
		for _, kv := range m.Info {
			info.add(kv.Key, kv.Value)
		}
		return []section{
			{"info", info},
			{"players", table{header: m.Players.Columns, rows: m.Players.Rows}},
			{"teams", table{header: m.Teams.Columns, rows: m.Teams.Rows}},
		}
	case gameagent.Status:
		return []section{{"more", pairs(m.Extra)}}
	case gameagent.Players:
		return []section{{"players", gameagentPlayers(m.Players)}, {"more", pairs(m.Extra)}}
	case gameagent.LegacyStatus:
		return []section{
			{"rules", legacyRules(m)},
			{"players", gameagentPlayers(m.Players)},
			{"more", pairs(m.Extra)},
		}
	}
	return nil
}

func sqpSections(m sqp.QueryResponse) []section {
	var rules, metrics table
	for _, rule := range m.ServerRules {
		rules.add(rule.Key, rule.Value.String())
	}
	all := []section{{"rules", rules}}
	if m.PlayerInfo != nil {
		all = append(all, section{"players", sqpTable(*m.PlayerInfo)})
	}
	if m.TeamInfo != nil {
		all = append(all, section{"teams", sqpTable(*m.TeamInfo)})
	}
	if m.Metrics != nil {
		for i, v := range m.Metrics.Values {
			metrics.add(strconv.Itoa(i), fmt.Sprint(v))
		}
		all = append(all, section{"metrics", metrics})
	}
	return all
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
