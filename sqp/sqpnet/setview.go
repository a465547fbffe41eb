package sqpnet

import (
	"math"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/fit"
	"github.com/lobbywire/lobbywire/sqp"
)

// SetView replaces the state of the server by what SQP can carry of v, and returns the
// fields that it has changed; package [lobbywire] describes the rules.
//
//	Name      ServerInfo.ServerName
//	Map       ServerInfo.Map
//	Mode      ServerInfo.GameType
//	Version   ServerInfo.BuildID
//	Port      ServerInfo.Port
//	Players   ServerInfo.CurrentPlayers, up to 65535
//	Max       ServerInfo.MaxPlayers, up to 65535
//	Roster    PlayerInfo, with the columns name, score, ping and team
//	Teams     TeamInfo, with the columns name and score
//	Rules     ServerRules, as texts
//
// Texts have up to 254 bytes, see [sqp.Clip]. Scores and pings are of type
// [sqp.ValueUint32], or texts if one of them is negative. All chunks together have up to
// 65535 bytes: Roster is shortened first, then Rules, then Teams.
func (s *Server) SetView(v lobbywire.View) (changed []string) {
	var f fit.Fitter
	state := stateOf(&v, &f)
	var prepared *sqp.Prepared
	fits := func() bool {
		p, err := state.prepare()
		prepared = p
		return err == nil
	}
	rules, players, teams := state.ServerRules, state.PlayerInfo.Rows, state.TeamInfo.Rows
	f.Shorten(fits, // which always succeeds
		fit.List{Name: "roster", Len: len(players), Cut: func(n int) { state.PlayerInfo.Rows = players[:n] }},
		fit.List{Name: "rules", Len: len(rules), Cut: func(n int) { state.ServerRules = rules[:n] }},
		fit.List{Name: "teams", Len: len(teams), Cut: func(n int) { state.TeamInfo.Rows = teams[:n] }},
	)
	s.state.Store(prepared)
	return f.Changed
}

// maxText is the length to which SetView shortens texts, like sqp.Clip.
const maxText = sqp.MaxText - 1

// stateOf returns the State for v, with texts and numbers that fit.
func stateOf(v *lobbywire.View, f *fit.Fitter) State {
	players, places := f.Counts(v, math.MaxUint16)
	state := State{
		ServerInfo: sqp.ServerInfo{
			CurrentPlayers: uint16(players),
			MaxPlayers:     uint16(places),
			ServerName:     text(f, fit.Field{Name: "name"}, v.Name),
			GameType:       text(f, fit.Field{Name: "mode"}, v.Mode),
			BuildID:        text(f, fit.Field{Name: "version"}, v.Version),
			Map:            text(f, fit.Field{Name: "map"}, v.Map),
			Port:           v.Port,
		},
	}
	for i, rule := range v.Rules {
		state.ServerRules = append(state.ServerRules, sqp.Rule{
			Key:   text(f, fit.Field{List: "rules", Index: i, Name: "key"}, rule.Key),
			Value: sqp.String(text(f, fit.Field{List: "rules", Index: i, Name: "value"}, rule.Value)),
		})
	}
	score, ping := numberTypes(v)
	state.PlayerInfo = sqp.Table{
		Columns: []string{"name", "score", "ping", "team"},
		Types:   []sqp.ValueType{sqp.ValueString, score, ping, sqp.ValueString},
	}
	for i, p := range v.Roster {
		state.PlayerInfo.Rows = append(state.PlayerInfo.Rows, []sqp.Value{
			sqp.String(text(f, fit.Field{List: "roster", Index: i, Name: "name"}, p.Name)),
			number(p.Score, score),
			number(p.Ping, ping),
			sqp.String(text(f, fit.Field{List: "roster", Index: i, Name: "team"}, p.Team)),
		})
	}
	state.TeamInfo = sqp.Table{Columns: []string{"name", "score"}, Types: []sqp.ValueType{sqp.ValueString, score}}
	for i, t := range v.Teams {
		name := text(f, fit.Field{List: "teams", Index: i, Name: "name"}, t.Name)
		state.TeamInfo.Rows = append(state.TeamInfo.Rows, []sqp.Value{sqp.String(name), number(t.Score, score)})
	}
	return state
}

// text returns a text that fits.
func text(f *fit.Fitter, at fit.Field, s string) string {
	return f.Text(at, s, fit.Rule{Max: maxText})
}

// numberTypes returns the types of the columns for scores and for pings. A column of
// texts can carry every number.
func numberTypes(v *lobbywire.View) (score, ping sqp.ValueType) {
	var scores, pings []*int
	for _, p := range v.Roster {
		scores, pings = append(scores, p.Score), append(pings, p.Ping)
	}
	for _, t := range v.Teams {
		scores = append(scores, t.Score)
	}
	return numberType(scores), numberType(pings)
}

// numberType returns the type of a column of numbers.
func numberType(numbers []*int) sqp.ValueType {
	if slices.ContainsFunc(numbers, func(n *int) bool { return n != nil && (*n < 0 || *n > math.MaxInt32) }) {
		return sqp.ValueString
	}
	return sqp.ValueUint32
}

// number returns a value of a type, 0 for an unknown number.
func number(n *int, t sqp.ValueType) sqp.Value {
	if n == nil {
		n = new(0)
	}
	if t == sqp.ValueString {
		return sqp.String(strconv.Itoa(*n))
	}
	return sqp.Uint32(uint32(*n))
}
