package output

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/games"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/sqp"
)

// PrintAnswer prints the answer of a single server.
func (o *Flags) PrintAnswer(stdout io.Writer, got Answer) error {
	switch {
	case o.JSON:
		return terminal.Buffered(stdout, got.WriteLine)
	case !o.isTable():
		return o.PrintAll(stdout, Layout{}, []Answer{got})
	case got.Err != nil:
		return nil
	}
	return terminal.Buffered(stdout, func(w io.Writer) error { return writeAnswer(w, got, terminal.ScreenOf(stdout)) })
}

// writeAnswer prints an answer in readable form.
func writeAnswer(w io.Writer, a Answer, on terminal.Screen) error {
	var facts terminal.Table
	query := ""
	if a.Query.IsValid() {
		query = a.Query.String()
	}
	for _, f := range []struct{ key, value string }{
		{"name", a.View.Name}, {"game", gameText(a.View.Game)}, {"map", a.View.Map}, {"mode", a.View.Mode},
		{"version", a.View.Version},
		{"players", PlayerCount(a.View)}, {"bots", countText(a.View.Bots)}, {"spectators", countText(a.View.Spectators)},
		{"address", a.Address()}, {"query", query}, {"lacks", a.Lacks},
	} {
		if f.value != "" {
			facts.Add(f.key, f.value)
		}
	}
	facts.Add("rtt", terminal.Milliseconds(a.RTT)+" ms, at attempt "+fmt.Sprint(a.Attempts))
	if err := facts.Write(w, on); err != nil {
		return err
	}
	for _, s := range sectionsOf(a.Message) {
		if len(s.Rows) == 0 && s.Header == nil {
			continue
		}
		if _, err := fmt.Fprintf(w, "\n%s\n", strings.ToUpper(s.title)); err != nil {
			return err
		}
		switch n := a.View.Players; {
		case s.title == "players" && a.View.Roster == nil && (n == nil || *n > 0),
			s.title == "teams" && a.View.Teams == nil && a.Lacks != "":
			s.None = "not listed"
		}
		if err := s.Write(w, on); err != nil {
			return err
		}
	}
	return nil
}

// gameText returns the name of a game in its protocol, after its title if that is known.
func gameText(name string) string {
	title := games.TitleOf(name)
	if title == "" || strings.EqualFold(title, name) {
		return name
	}
	return title + " (" + name + ")"
}

// A section is a table with a title.
type section struct {
	title string
	terminal.Table
}

// unknownCell is the cell of a table for an unknown value.
const unknownCell = "?"

// PlayerCount returns the numbers of players and places, such as 3/16, or "" if both
// are unknown.
func PlayerCount(v lobbywire.View) string {
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

// countText returns a number, "" if it is unknown.
func countText(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// sectionsOf returns the tables of an answer, with the names of its protocol.
func sectionsOf(message any) []section {
	switch m := message.(type) {
	case sqp.QueryResponse:
		return sqpSections(m)
	case gamespy2.Response:
		return gamespy2Sections(m)
	case gameagent.Status:
		return []section{{"more", pairs(m.Extra)}}
	case gameagentnet.FullStatus:
		return append(sectionsOf(m.Players), sectionsOf(m.Status)...)
	case gameagent.Players:
		slot := func(i int) int { return m.Players[i].Index }
		return []section{{"players", gameagentPlayers(slot, m.View().Roster)}, {"more", pairs(m.Extra)}}
	case gamespy1.Status:
		v := m.View()
		slot := func(i int) int { return m.Players[i].Index }
		return []section{
			{"rules", legacyRules(m)},
			{"players", gameagentPlayers(slot, v.Roster)},
			{"teams", gameagentTeams(v.Teams)},
			{"more", pairs(m.Extra)},
		}
	}
	return nil
}

// gamespy2Sections returns the keys of a response by their names, the players, each with the
// name of the team, and the teams.
func gamespy2Sections(m gamespy2.Response) []section {
	var info terminal.Table
	v := m.View()
	for _, rule := range v.Rules {
		info.Add(rule.Key, rule.Value)
	}
	players := terminal.Table{Header: m.Players.Columns}
	team := m.Players.Column("team_")
	for i, p := range v.Roster {
		row := slices.Clone(m.Players.Rows[i])
		if team >= 0 && team < len(row) {
			row[team] = p.Team
		}
		players.Add(row...)
	}
	return []section{
		{"info", info}, {"players", players}, {"teams", terminal.Table{Header: m.Teams.Columns, Rows: m.Teams.Rows}},
	}
}

func sqpSections(m sqp.QueryResponse) []section {
	var rules, metrics terminal.Table
	for _, rule := range m.ServerRules {
		rules.Add(rule.Key, rule.Value.String())
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
			metrics.Add(strconv.Itoa(i), fmt.Sprint(v))
		}
		all = append(all, section{"metrics", metrics})
	}
	return all
}

func sqpTable(m sqp.Table) terminal.Table {
	t := terminal.Table{Header: m.Columns}
	for _, values := range m.Rows {
		row := make([]string, len(values))
		for i, v := range values {
			row[i] = v.String()
			if v.Type() == sqp.ValueString {
				row[i] = v.Text()
			}
		}
		t.Add(row...)
	}
	return t
}

func legacyRules(m gamespy1.Status) terminal.Table {
	var t terminal.Table
	for _, rule := range []struct {
		name string
		is   *bool
	}{
		{"friendly fire", m.FriendlyFire}, {"weapons stay", m.WeaponsStay}, {"ammo stays", m.AmmoStays},
		{"health and armor stay", m.HealthArmorStays}, {"health", m.AllowHealth}, {"armor", m.AllowArmor},
		{"infinite ammo", m.InfiniteAmmo}, {"respawn in place", m.RespawnInPlace},
		{"password", m.Password}, {"VIP players", m.VIPPlayers},
	} {
		if rule.is != nil {
			t.Add(rule.name, strconv.FormatBool(*rule.is))
		}
	}
	return t
}

// gameagentPlayers returns the table of a roster; slot returns the index of a player on the
// server. It has columns for teams, kills and deaths if the server sends them.
func gameagentPlayers(slot func(i int) int, roster []lobbywire.Player) terminal.Table {
	t := terminal.Table{Header: []string{"slot", "name", "frags", "ping"}}
	more := []struct {
		name string
		cell func(p *lobbywire.Player) string
	}{
		{"team", func(p *lobbywire.Player) string { return cmp.Or(p.Team, notSent) }},
		{"kills", func(p *lobbywire.Player) string { return numberCell(p.Kills) }},
		{"deaths", func(p *lobbywire.Player) string { return numberCell(p.Deaths) }},
	}
	for i := range roster {
		p := &roster[i]
		t.Add(strconv.Itoa(slot(i)), p.Name, numberCell(p.Score), numberCell(p.Ping))
	}
	for _, column := range more {
		if !slices.ContainsFunc(roster, func(p lobbywire.Player) bool { return column.cell(&p) != notSent }) {
			continue
		}
		t.Header = append(t.Header, column.name)
		for i := range roster {
			t.Rows[i] = append(t.Rows[i], column.cell(&roster[i]))
		}
	}
	return t
}

func gameagentTeams(teams []lobbywire.Team) terminal.Table {
	var t terminal.Table
	for _, team := range teams {
		t.Add(team.Name, numberCell(team.Score))
	}
	return t
}

// notSent is the cell of a table for a value that a server has not sent.
const notSent = "-"

func numberCell(n *int) string { return cmp.Or(countText(n), notSent) }

func pairs(all []gameagent.Pair) terminal.Table {
	var t terminal.Table
	for _, p := range all {
		t.Add(p.Key, p.Value)
	}
	return t
}

// ScanLayout is the table of the servers that have answered.
func ScanLayout() Layout {
	return Layout{
		Header: []string{"ADDRESS", "QUERY", "RTT/ms", "PLAYERS", "MODE", "MAP", "NAME"},
		spare:  []string{"RTT/ms", "MODE", "QUERY", "MAP"},
		Row: func(a Answer) []string {
			address, query := a.Addresses()
			return []string{address, query, terminal.Milliseconds(a.RTT), PlayerCount(a.View), a.View.Mode, a.View.Map,
				a.View.Name}
		},
	}
}
