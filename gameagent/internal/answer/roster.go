package answer

import (
	"math"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/fit"
)

// Limits of texts, with which a status without players and a heartbeat fit in a datagram.
var (
	NameRule   = fit.Rule{Max: 700, Forbidden: "\x00\\"}
	TextRule   = fit.Rule{Max: 200, Forbidden: "\x00\\;"}
	PlayerRule = fit.Rule{Max: 255, Forbidden: fit.Control + "\\"}
)

// Roster returns the players of v with texts and numbers that fit. isRule reports whether
// clients read a pair of a player as a rule.
func Roster(v *lobbywire.View, f *fit.Fitter, isRule func(gameagent.Pair) bool) (players []gameagent.Player) {
	for i := range v.Roster {
		players = append(players, player(i, &v.Roster[i], f, isRule))
	}
	return players
}

func player(i int, p *lobbywire.Player, f *fit.Fitter, isRule func(gameagent.Pair) bool) gameagent.Player {
	at := func(name string) fit.Field { return fit.Field{List: "roster", Index: i, Name: name} }
	m := gameagent.Player{Index: i, Name: f.Text(at("name"), p.Name, PlayerRule)}
	if p.Score != nil {
		m.Frags = new(int32(f.Number(at("score"), p.Score, math.MinInt32, math.MaxInt32)))
	}
	if p.Ping != nil {
		m.Ping = new(f.Number(at("ping"), p.Ping, 0, math.MaxInt32))
	}
	if p.Team != "" {
		m.Extra = append(m.Extra, gameagent.Pair{Key: "team", Value: f.Text(at("team"), p.Team, PlayerRule)})
	}
	m.Extra = AppendNumber(m.Extra, "kills", f, at("kills"), p.Kills)
	m.Extra = AppendNumber(m.Extra, "deaths", f, at("deaths"), p.Deaths)
	for _, r := range p.Rules {
		e := gameagent.Pair{Key: PlayerRule.Fit(r.Key), Value: PlayerRule.Fit(r.Value)}
		sent := isRule(e)
		if sent {
			m.Extra = append(m.Extra, e)
		}
		if !sent || e != gameagent.Pair(r) {
			f.Change(at("rules").String())
		}
	}
	return m
}

// AppendNumber appends a pair for a number that is known.
func AppendNumber(extra []gameagent.Pair, key string, f *fit.Fitter, at fit.Field, n *int) []gameagent.Pair {
	if n == nil {
		return extra
	}
	value := strconv.Itoa(f.Number(at, n, math.MinInt32, math.MaxInt32))
	return append(extra, gameagent.Pair{Key: key, Value: value})
}

// Lists returns the parts of players that can be left out, in this order: properties other
// than name, frags and ping, and then players.
func Lists(players *[]gameagent.Player) []fit.List {
	all := *players
	whole := slices.Clone(all)
	rules := 0
	for i := range all {
		rules = max(rules, len(all[i].Extra))
	}
	return []fit.List{
		{Name: "roster.rules", Len: rules, Cut: func(n int) {
			for i := range all {
				all[i].Extra = whole[i].Extra[:min(n, len(whole[i].Extra))]
			}
		}},
		{Name: "roster", Len: len(all), Cut: func(n int) { *players = all[:n] }},
	}
}
