package sqp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// View returns the response in the common form. The fields of a missing chunk are unknown.
//
//	Name      ServerInfo.ServerName
//	Map       ServerInfo.Map
//	Mode      ServerInfo.GameType
//	Version   ServerInfo.BuildID
//	Port      ServerInfo.Port
//	Players   ServerInfo.CurrentPlayers
//	Max       ServerInfo.MaxPlayers
//	Roster    PlayerInfo: Name, Score (rounded), Ping, Team, Bot, Kills and Deaths are the
//	          columns of these names, Rules all other columns; unknown if there are no
//	          rows although CurrentPlayers is not 0
//	Teams     TeamInfo: Name and Score are the columns of these names
//	Rules     ServerRules
//
// Servers choose the names of their columns. View ignores case and underscores, and the
// word player or team may precede a name or replace "name": "playerName", "player_name",
// "Player" and "name" are the same column. The number of a player's team becomes the name
// of the team if the numbers show whether the server counts teams from 0 or 1.
func (m QueryResponse) View() lobbywire.View {
	var v lobbywire.View
	if s := m.ServerInfo; s != nil {
		v.Name = lobbywire.UTF8(s.ServerName)
		v.Map = lobbywire.UTF8(s.Map)
		v.Mode = lobbywire.UTF8(s.GameType)
		v.Version = lobbywire.UTF8(s.BuildID)
		v.Port = s.Port
		v.Players = new(int(s.CurrentPlayers))
		v.Max = new(int(s.MaxPlayers))
	}
	if t := m.PlayerInfo; t != nil && t.Raw == nil && (len(t.Rows) > 0 || v.Players == nil || *v.Players == 0) {
		v.Roster = t.players()
	}
	if t := m.TeamInfo; t != nil && t.Raw == nil {
		name, score := t.column("team", "name"), t.column("team", "score")
		v.Teams = make([]lobbywire.Team, len(t.Rows))
		for i := range t.Rows {
			v.Teams[i] = lobbywire.Team{Name: t.viewText(i, name), Score: t.viewScore(i, score)}
		}
	}
	wire.NameTeams(&v, -1)
	if m.ServerRules != nil {
		v.Rules = make([]lobbywire.Rule, len(m.ServerRules))
		for i, rule := range m.ServerRules {
			v.Rules[i] = lobbywire.Rule{Key: lobbywire.UTF8(rule.Key), Value: rule.Value.viewText()}
		}
	}
	return v
}

// players returns the rows of PlayerInfo.
func (m *Table) players() []lobbywire.Player {
	of := func(what string) int { return m.column("player", what) }
	name, score, ping, team, bot, kills, deaths := of("name"), of("score"), of("ping"), of("team"), of("bot"),
		of("kills"), of("deaths")
	typed := []int{name, score, ping, team, bot, kills, deaths}
	list := make([]lobbywire.Player, len(m.Rows))
	for i, row := range m.Rows {
		p := lobbywire.Player{
			Name: m.viewText(i, name), Score: m.viewScore(i, score), Ping: m.viewCount(i, ping),
			Team: m.viewText(i, team), Bot: wire.Bool(m.viewText(i, bot)),
			Kills: m.viewCount(i, kills), Deaths: m.viewCount(i, deaths),
		}
		for column := range min(len(row), len(m.Columns)) {
			if text := m.viewText(i, column); text != "" && !slices.Contains(typed, column) {
				p.Rules = append(p.Rules, lobbywire.Rule{Key: lobbywire.UTF8(m.Columns[column]), Value: text})
			}
		}
		list[i] = p
	}
	return list
}

// column returns the index of the column with a property of the players or teams, such as
// their name or score, or -1.
func (m *Table) column(of, what string) int {
	return slices.IndexFunc(m.Columns, func(column string) bool {
		column = strings.ToLower(strings.ReplaceAll(column, "_", ""))
		return column == what || column == of+what || column == of && what == "name"
	})
}

// viewText returns a value as text, or "" without the column.
func (m *Table) viewText(row, column int) string {
	if column < 0 || column >= len(m.Rows[row]) {
		return ""
	}
	return m.Rows[row][column].viewText()
}

// viewScore returns a value as a score, or nil if it is not one.
func (m *Table) viewScore(row, column int) *int { return wire.Score(m.viewText(row, column)) }

// viewCount returns a value as a number from 0, or nil if it is not one.
func (m *Table) viewCount(row, column int) *int {
	if n := wire.Number(m.viewText(row, column)); n != nil {
		return wire.Count(int64(*n))
	}
	return nil
}

// viewText returns a text, or a number in decimal, without an exponent.
func (v Value) viewText() string {
	switch v.typ {
	case ValueString:
		return lobbywire.UTF8(v.text)
	case ValueFloat32:
		return strconv.FormatFloat(float64(v.Float()), 'f', -1, 32)
	}
	return v.String()
}
