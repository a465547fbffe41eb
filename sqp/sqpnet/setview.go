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
//	Roster    PlayerInfo, with the columns name, score, ping and team; kills, deaths and bot
//	          if they are known for a player; and a column for each key of their Rules
//	Teams     TeamInfo, with the columns name and score
//	Rules     ServerRules, as texts
//
// Texts have up to 254 bytes, see [sqp.Clip]. Scores and pings are of type
// [sqp.ValueUint32], or texts if one of them is negative. The columns after team are texts,
// empty where they are unknown; their names are unique. The chunks have a total of up to
// 65535 bytes: to make room, columns of the players' Rules are left out first, then Roster
// is shortened, then Rules, then Teams.
func (s *Server) SetView(v lobbywire.View) (changed []string) {
	var f fit.Fitter
	state, ruleColumns := stateOf(&v, &f)
	var prepared *sqp.Prepared
	fits := func() bool {
		p, err := state.prepare()
		prepared = p
		return err == nil
	}
	rules, players, teams := state.ServerRules, state.PlayerInfo, state.TeamInfo.Rows
	rows, columns := len(players.Rows), len(players.Columns)
	cut := func() {
		state.PlayerInfo.Columns, state.PlayerInfo.Types = players.Columns[:columns], players.Types[:columns]
		state.PlayerInfo.Rows = make([][]sqp.Value, rows)
		for i := range rows {
			state.PlayerInfo.Rows[i] = players.Rows[i][:columns]
		}
	}
	f.Shorten(fits, // which always succeeds
		fit.List{Name: "roster.rules", Len: columns - ruleColumns, Cut: func(n int) {
			columns = ruleColumns + n
			cut()
		}},
		fit.List{Name: "roster", Len: rows, Cut: func(n int) {
			rows = n
			cut()
		}},
		fit.List{Name: "rules", Len: len(rules), Cut: func(n int) { state.ServerRules = rules[:n] }},
		fit.List{Name: "teams", Len: len(teams), Cut: func(n int) { state.TeamInfo.Rows = teams[:n] }},
	)
	s.state.Store(prepared)
	return f.Changed
}

// maxText is the length to which SetView shortens texts, like sqp.Clip.
const maxText = sqp.MaxText - 1

// stateOf returns the State for v, with texts and numbers that fit, and the number of columns
// of PlayerInfo before the columns of Rules.
func stateOf(v *lobbywire.View, f *fit.Fitter) (state State, ruleColumns int) {
	players, places := f.Counts(v, math.MaxUint16)
	state = State{
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
	ruleColumns = addColumns(&state.PlayerInfo, v.Roster, f)
	state.TeamInfo = sqp.Table{Columns: []string{"name", "score"}, Types: []sqp.ValueType{sqp.ValueString, score}}
	for i, t := range v.Teams {
		name := text(f, fit.Field{List: "teams", Index: i, Name: "name"}, t.Name)
		state.TeamInfo.Rows = append(state.TeamInfo.Rows, []sqp.Value{sqp.String(name), number(t.Score, score)})
	}
	return state, ruleColumns
}

// addColumns adds the columns of texts to PlayerInfo, and returns the number of columns
// before those of Rules.
func addColumns(t *sqp.Table, roster []lobbywire.Player, f *fit.Fitter) (ruleColumns int) {
	add := func(column string) {
		t.Columns, t.Types = append(t.Columns, column), append(t.Types, sqp.ValueString)
		for i := range t.Rows {
			t.Rows[i] = append(t.Rows[i], sqp.String(""))
		}
	}
	addKnown := func(column string, of func(p *lobbywire.Player) (text string)) {
		if !slices.ContainsFunc(roster, func(p lobbywire.Player) bool { return of(&p) != "" }) {
			return
		}
		add(column)
		for i := range roster {
			t.Rows[i][len(t.Columns)-1] = sqp.String(of(&roster[i]))
		}
	}
	addKnown("kills", func(p *lobbywire.Player) string { return textOf(p.Kills, strconv.Itoa) })
	addKnown("deaths", func(p *lobbywire.Player) string { return textOf(p.Deaths, strconv.Itoa) })
	addKnown("bot", func(p *lobbywire.Player) string { return textOf(p.Bot, strconv.FormatBool) })
	ruleColumns = len(t.Columns)
	for i, p := range roster {
		at := fit.Field{List: "roster", Index: i, Name: "rules"}
		for _, rule := range p.Rules {
			key, value := text(f, at, rule.Key), sqp.String(text(f, at, rule.Value))
			column := slices.Index(t.Columns, key)
			if column < 0 && !isTyped(key) && len(t.Columns) < math.MaxUint8 {
				column = len(t.Columns)
				add(key)
			}
			if column < ruleColumns || t.Rows[i][column] != sqp.String("") {
				f.Change(at.String())
				continue
			}
			t.Rows[i][column] = value
		}
	}
	return ruleColumns
}

// isTyped reports whether clients read a column as a field of a player other than Rules.
func isTyped(column string) bool {
	m := sqp.QueryResponse{PlayerInfo: &sqp.Table{Columns: []string{column}, Rows: [][]sqp.Value{{sqp.Byte(1)}}}}
	return m.View().Roster[0].Rules == nil
}

// textOf returns the text of *v, or "" if v is nil.
func textOf[T any](v *T, text func(T) string) string {
	if v == nil {
		return ""
	}
	return text(*v)
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
