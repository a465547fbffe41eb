package gameagentnet

import (
	"math"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/fit"
)

// SetView replaces the state of the server by what GameAgent can carry of v, and returns
// the fields that it has changed; package [lobbywire] describes the rules. The two forms
// of the protocol have the same texts:
//
//	          native               legacy
//	Name      sessionname          hostname, up to 700 bytes
//	Game      gamename             gamename, like the next up to 200 bytes
//	Version   version              gamever
//	Map       level                mapname
//	Mode      gametype             gametype
//	Players   players              numplayers, up to 2147483647
//	Max       maxplayers           maxplayers, up to 2147483647
//	Port                           hostport, up to 65534; see State.GamePort
//	Password                       password
//	Roster    player, frags, ping, team, kills, deaths, and Rules with their keys
//	Teams                          teamname_#, teamscore_#
//
// Name has neither zero bytes nor backslashes; Game, Version, Map and Mode neither these
// nor semicolons. Texts of players and teams have up to 255 bytes without control
// characters and backslashes. Scores, kills and deaths have 32 bits, and pings start at 0.
// A rule of a player is left out if its key is one of the others.
// Roster is shortened to up to [gameagent.MaxPlayers] players in 8 datagrams, but first
// Teams to what fits the first of them, and what players have besides name, frags and
// ping. Rules are not sent.
func (s *Server) SetView(v lobbywire.View) (changed []string) {
	var f fit.Fitter
	state := stateOf(&v, &f)
	var e *encoded
	fits := func() bool {
		e = new(encoded)
		return e.encode(state) == nil
	}
	players, teams := state.Players, state.Legacy.Extra
	whole := slices.Clone(players)
	f.Shorten(fits, // which always succeeds
		fit.List{Name: "teams", Len: len(teams), Cut: func(n int) { state.Legacy.Extra = teams[:n] }},
		fit.List{Name: "roster.rules", Len: maxPlayerRules(players), Cut: func(n int) {
			for i := range players {
				players[i].Extra = whole[i].Extra[:min(n, len(whole[i].Extra))]
			}
		}},
		fit.List{Name: "roster", Len: len(players), Cut: func(n int) { state.Players = players[:n] }},
	)
	s.set(e)
	return f.Changed
}

// maxPlayerRules returns the largest number of other pairs of a player.
func maxPlayerRules(players []gameagent.Player) (n int) {
	for i := range players {
		n = max(n, len(players[i].Extra))
	}
	return n
}

// What the wire can carry of texts. With the longest ones, each form of the status fits a
// datagram, and so does a heartbeat.
var (
	nameRule   = fit.Rule{Max: 700, Forbidden: "\x00\\"}
	textRule   = fit.Rule{Max: 200, Forbidden: "\x00\\;"}
	playerRule = fit.Rule{Max: 255, Forbidden: fit.Control + "\\"}
)

// stateOf returns the State for v, with texts and numbers that fit.
func stateOf(v *lobbywire.View, f *fit.Fitter) State {
	players, places := f.Counts(v, math.MaxInt32)
	port := int(v.Port)
	state := State{
		SessionName: f.Text(fit.Field{Name: "name"}, v.Name, nameRule),
		GameName:    f.Text(fit.Field{Name: "game"}, v.Game, textRule),
		Version:     f.Text(fit.Field{Name: "version"}, v.Version, textRule),
		Level:       f.Text(fit.Field{Name: "map"}, v.Map, textRule),
		GameType:    f.Text(fit.Field{Name: "mode"}, v.Mode, textRule),
		NumPlayers:  players,
		MaxPlayers:  places,
		GamePort:    uint16(f.Number(fit.Field{Name: "port"}, &port, 0, math.MaxUint16-1)),
	}
	state.Legacy.Password = v.Password
	for i, p := range v.Roster {
		state.Players = append(state.Players, playerOf(i, &p, f))
	}
	for i, t := range v.Teams {
		index := "_" + strconv.Itoa(i)
		name := f.Text(fit.Field{List: "teams", Index: i, Name: "name"}, t.Name, playerRule)
		state.Legacy.Extra = append(state.Legacy.Extra, gameagent.Pair{Key: "teamname" + index, Value: name})
		score := fit.Field{List: "teams", Index: i, Name: "score"}
		state.Legacy.Extra = appendNumber(state.Legacy.Extra, "teamscore"+index, f, score, t.Score)
	}
	return state
}

// playerOf returns a player whose texts and numbers fit.
func playerOf(i int, p *lobbywire.Player, f *fit.Fitter) gameagent.Player {
	at := func(name string) fit.Field { return fit.Field{List: "roster", Index: i, Name: name} }
	m := gameagent.Player{Index: i, Name: f.Text(at("name"), p.Name, playerRule)}
	if p.Score != nil {
		m.Frags = new(int32(f.Number(at("score"), p.Score, math.MinInt32, math.MaxInt32)))
	}
	if p.Ping != nil {
		m.Ping = new(f.Number(at("ping"), p.Ping, 0, math.MaxInt32))
	}
	if p.Team != "" {
		m.Extra = append(m.Extra, gameagent.Pair{Key: "team", Value: f.Text(at("team"), p.Team, playerRule)})
	}
	m.Extra = appendNumber(m.Extra, "kills", f, at("kills"), p.Kills)
	m.Extra = appendNumber(m.Extra, "deaths", f, at("deaths"), p.Deaths)
	for _, r := range p.Rules {
		e := gameagent.Pair{Key: playerRule.Fit(r.Key), Value: playerRule.Fit(r.Value)}
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

// isRule reports whether clients read a pair of a player as a rule.
func isRule(e gameagent.Pair) bool {
	m := gamespy1.Status{Players: []gamespy1.Player{{Extra: []gamespy1.Pair{e}}}}
	_, err := m.AppendBinary(nil)
	return err == nil && len(m.View().Roster[0].Rules) == 1
}

// appendNumber appends a pair for a number that is known.
func appendNumber(extra []gameagent.Pair, key string, f *fit.Fitter, at fit.Field, n *int) []gameagent.Pair {
	if n == nil {
		return extra
	}
	value := strconv.Itoa(f.Number(at, n, math.MinInt32, math.MaxInt32))
	return append(extra, gameagent.Pair{Key: key, Value: value})
}
