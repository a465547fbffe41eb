package gamespy2net

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/fit"
)

// SetView sets the state of the server to as much of v as GameSpy can carry, and returns
// the fields that it has changed; package [lobbywire] describes the rules.
//
//	Name      hostname
//	Game      gamename
//	Version   gamever
//	Map       mapname
//	Mode      gametype
//	Players   numplayers
//	Max       maxplayers
//	Password  password: 1, or 0 if it is false or unknown
//	Port      hostport
//	Bots      numbots, if it is known
//	Rules     other keys, after those above, unless their key is empty
//	Roster    Players: player_, score_, ping_ and team_; kills_, deaths_ and AIBot_ if they
//	          are known for a player; and a column for each key of their Rules
//	Teams     Teams: team_t and score_t
//
// In the columns after team_, a blank stands for an unknown value. Names of columns end in
// _, which is added to other keys. A table has up to [gamespy2.MaxColumns] columns without
// duplicates.
//
// Values of keys have up to 160 bytes, keys and texts of players and teams up to 100. None
// contains a zero byte. A value that starts with p and nine digits starts with ? instead,
// because clients would read it as a key. A text of a player or a team without visible
// characters becomes a blank, which is not a change, because known clients misread a table
// with empty values.
//
// If long names need it, the answer is cut as [gamespy2.CutColumns] describes. It has up to
// [gamespy2.MaxPackets] packets: columns of the players' Rules are left out first, then Roster
// is shortened, then Rules, then Teams.
func (s *Server) SetView(v lobbywire.View) (changed []string) {
	var f fit.Fitter
	state := stateOf(&v, &f)
	var e *encoded
	state.shorten(&f, func() bool {
		var err error
		e, err = state.encodeForView()
		return err == nil
	})
	s.set(e)
	return f.Changed
}

// SetView calls SetView of the Server. Without a Server, it sets the state that heartbeats
// report in the same way. The name of the game in heartbeats is Registration.Game.
func (r *Registration) SetView(v lobbywire.View) (changed []string) {
	if r.Server != nil {
		return r.Server.SetView(v)
	}
	var f fit.Fitter
	state := stateOf(&v, &f)
	var own *reported
	state.shorten(&f, func() bool {
		own = makeReported(state.Info, state.Players, state.Teams)
		return own.err == nil
	})
	r.setOwn(own)
	return f.Changed
}

// Limits of texts in a View, in bytes. With all of them, the keys fit in a packet.
const (
	maxValue = 160
	maxName  = gamespy2.MaxName
)

// A viewState is the State for a View.
type viewState struct {
	State
	keys, columns int // without those of Rules
}

// stateOf returns the State for v, with texts and numbers that fit.
func stateOf(v *lobbywire.View, f *fit.Fitter) viewState {
	players, places := f.Counts(v, math.MaxInt32)
	password := 0
	if v.Password != nil && *v.Password {
		password = 1
	}
	state := viewState{State: State{Info: []gamespy2.KeyValue{
		{Key: gamespy2.KeyHostname.String(), Value: value(f, fit.Field{Name: "name"}, v.Name)},
		{Key: gamespy2.KeyGameName.String(), Value: value(f, fit.Field{Name: "game"}, v.Game)},
		{Key: gamespy2.KeyGameVersion.String(), Value: value(f, fit.Field{Name: "version"}, v.Version)},
		{Key: gamespy2.KeyMapName.String(), Value: value(f, fit.Field{Name: "map"}, v.Map)},
		{Key: gamespy2.KeyGameType.String(), Value: value(f, fit.Field{Name: "mode"}, v.Mode)},
		{Key: gamespy2.KeyNumPlayers.String(), Value: strconv.Itoa(players)},
		{Key: gamespy2.KeyMaxPlayers.String(), Value: strconv.Itoa(places)},
		{Key: gamespy2.KeyPassword.String(), Value: strconv.Itoa(password)},
		{Key: gamespy2.KeyHostPort.String(), Value: strconv.Itoa(int(v.Port))},
	}}}
	if v.Bots != nil {
		bots := f.Number(fit.Field{Name: "bots"}, v.Bots, 0, math.MaxInt32)
		state.Info = append(state.Info, gamespy2.KeyValue{Key: "numbots", Value: strconv.Itoa(bots)})
	}
	state.keys = len(state.Info)
	for i, rule := range v.Rules {
		key := name(f, fit.Field{List: "rules", Index: i, Name: "key"}, rule.Key)
		known := func(kv gamespy2.KeyValue) bool { return kv.Key == key }
		if key == "" || slices.ContainsFunc(state.Info[:state.keys], known) {
			continue
		}
		text := value(f, fit.Field{List: "rules", Index: i, Name: "value"}, rule.Value)
		state.Info = append(state.Info, gamespy2.KeyValue{Key: key, Value: text})
	}
	state.columns = state.setPlayers(v.Roster, f)
	if len(v.Teams) > 0 {
		state.Teams.Columns = []string{"team_t", "score_t"}
	}
	for i, t := range v.Teams {
		text := visible(name(f, fit.Field{List: "teams", Index: i, Name: "name"}, t.Name))
		state.Teams.Rows = append(state.Teams.Rows, []string{text, viewNumber(t.Score)})
	}
	return state
}

// setPlayers sets the players, and returns the number of columns without the columns of
// Rules.
func (s *State) setPlayers(roster []lobbywire.Player, f *fit.Fitter) (columns int) {
	if len(roster) == 0 {
		return 0
	}
	s.Players.Columns = []string{"player_", "score_", "ping_", "team_"}
	s.Players.Rows = make([][]string, len(roster))
	for i, p := range roster {
		s.Players.Rows[i] = []string{
			visible(name(f, fit.Field{List: "roster", Index: i, Name: "name"}, p.Name)),
			viewNumber(p.Score),
			viewNumber(p.Ping),
			visible(name(f, fit.Field{List: "roster", Index: i, Name: "team"}, p.Team)),
		}
	}
	addKnown(&s.Players, "kills_", roster, func(p *lobbywire.Player) *int { return p.Kills })
	addKnown(&s.Players, "deaths_", roster, func(p *lobbywire.Player) *int { return p.Deaths })
	addKnown(&s.Players, "AIBot_", roster, func(p *lobbywire.Player) *int {
		switch {
		case p.Bot == nil:
			return nil
		case *p.Bot:
			return new(1)
		}
		return new(0)
	})
	columns = len(s.Players.Columns)
	for i, p := range roster {
		s.addRules(i, p.Rules, columns, f)
	}
	return columns
}

// addKnown adds a column of numbers if one of them is known. The others are blanks.
func addKnown(t *gamespy2.Table, column string, roster []lobbywire.Player, of func(p *lobbywire.Player) *int) {
	isKnown := func(p lobbywire.Player) bool { return of(&p) != nil }
	if !slices.ContainsFunc(roster, isKnown) {
		return
	}
	t.Columns = append(t.Columns, column)
	for i := range roster {
		text := " "
		if n := of(&roster[i]); n != nil {
			text = strconv.Itoa(*n)
		}
		t.Rows[i] = append(t.Rows[i], text)
	}
}

// addRules adds the rules of player i to the table of players, in columns after the given
// number of others.
func (s *State) addRules(i int, rules []lobbywire.Rule, columns int, f *fit.Fitter) {
	t := &s.Players
	at := fit.Field{List: "roster", Index: i, Name: "rules"}
	set := make([]bool, len(t.Columns), gamespy2.MaxColumns)
	for _, rule := range rules {
		key := columnName(f, at, rule.Key)
		text := visible(name(f, at, rule.Value))
		column := t.Column(key)
		if column < 0 && key != "" && len(t.Columns) < gamespy2.MaxColumns {
			column = len(t.Columns)
			t.Columns = append(t.Columns, key)
			for j := range t.Rows {
				t.Rows[j] = append(t.Rows[j], " ")
			}
			set = append(set, false)
		}
		if column < columns || set[column] {
			f.Change(at.String())
			continue
		}
		t.Rows[i][column], set[column] = text, true
	}
}

// columnName returns the name of a column of players for a key, or "" if there is none.
func columnName(f *fit.Fitter, at fit.Field, key string) string {
	fitted := f.Text(at, key, fit.Rule{Max: maxName - 1, Forbidden: fit.Control})
	if fitted == "" || fitted == "death_" {
		return ""
	}
	if !strings.HasSuffix(fitted, "_") {
		f.Change(at.String())
		fitted += "_"
	}
	return fitted
}

// value returns the value of a key.
func value(f *fit.Fitter, at fit.Field, s string) string {
	s = f.Text(at, s, fit.Rule{Max: maxValue, Forbidden: "\x00"})
	if isProperty(s) {
		f.Change(at.String())
		return "?" + s[1:]
	}
	return s
}

// isProperty reports whether clients read a value, or the start of it in a cut packet, as a
// key of Unreal Tournament 3: p and at least nine digits.
func isProperty(s string) bool {
	digits, ok := strings.CutPrefix(s, "p")
	return ok && len(digits) >= 9 && strings.Trim(digits[:9], "0123456789") == ""
}

// name returns the name of a player, a team or a key.
func name(f *fit.Fitter, at fit.Field, s string) string {
	return f.Text(at, s, fit.Rule{Max: maxName, Forbidden: "\x00"})
}

// visible returns s, or a blank if s has no visible characters.
func visible(s string) string {
	if strings.TrimSpace(s) == "" {
		return " "
	}
	return s
}

// viewNumber returns n as a text, 0 for an unknown number.
func viewNumber(n *int) string {
	if n == nil {
		return "0"
	}
	return strconv.Itoa(*n)
}

// shorten shortens the lists of the state until it fits.
func (s *viewState) shorten(f *fit.Fitter, fits func() bool) {
	info, teams := s.Info, s.Teams.Rows
	players := gamespy2.Table{Columns: s.Players.Columns, Rows: slices.Clone(s.Players.Rows)}
	rows, columns := len(players.Rows), len(players.Columns)
	cut := func() {
		s.Players.Columns = players.Columns[:columns]
		s.Players.Rows = s.Players.Rows[:rows]
		for i := range s.Players.Rows {
			s.Players.Rows[i] = players.Rows[i][:columns]
		}
	}
	f.Shorten(fits, // it succeeds at the latest with empty lists
		fit.List{Name: "roster.rules", Len: columns - s.columns, Cut: func(n int) {
			columns = s.columns + n
			cut()
		}},
		fit.List{Name: "roster", Len: rows, Cut: func(n int) {
			rows = n
			cut()
		}},
		fit.List{Name: "rules", Len: len(info) - s.keys, Cut: func(n int) { s.Info = info[:s.keys+n] }},
		fit.List{Name: "teams", Len: len(teams), Cut: func(n int) { s.Teams.Rows = teams[:n] }},
	)
}

// encodeForView encodes the state with the first Cut that succeeds.
func (s *State) encodeForView() (*encoded, error) {
	s.Cut = gamespy2.CutForAll
	e, err := s.encode()
	if err != nil {
		s.Cut = gamespy2.CutColumns
		e, err = s.encode()
	}
	return e, err
}
