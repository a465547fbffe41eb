package gamespy2net

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
)

// SetView calls [Server.Set] with the State for v, for games that answer in several
// protocols. [gamespy2.Response.View] lists the keys for the fields of v. Rules with
// other keys follow them. Unknown numbers become 0. Empty values of players become
// blanks, because known clients misread a table with empty values.
func (s *Server) SetView(v lobbywire.View) error { return s.Set(stateOf(v)) }

// SetView calls [Registration.Set] with the State that [Server.SetView] makes from v.
// The name of the game in heartbeats is Registration.Game.
func (r *Registration) SetView(v lobbywire.View) error { return r.Set(stateOf(v)) }

// stateOf returns the State that has the fields of v.
func stateOf(v lobbywire.View) State {
	players, places := v.Counts()
	password := 0
	if v.Password != nil && *v.Password {
		password = 1
	}
	state := State{Info: []gamespy2.KeyValue{
		{Key: gamespy2.KeyHostname.String(), Value: v.Name},
		{Key: gamespy2.KeyGameName.String(), Value: v.Game},
		{Key: gamespy2.KeyGameVersion.String(), Value: v.Version},
		{Key: gamespy2.KeyMapName.String(), Value: v.Map},
		{Key: gamespy2.KeyGameType.String(), Value: v.Mode},
		{Key: gamespy2.KeyNumPlayers.String(), Value: strconv.Itoa(players)},
		{Key: gamespy2.KeyMaxPlayers.String(), Value: strconv.Itoa(places)},
		{Key: gamespy2.KeyPassword.String(), Value: strconv.Itoa(password)},
		{Key: gamespy2.KeyHostPort.String(), Value: strconv.Itoa(int(v.Port))},
	}}
	for _, rule := range v.Rules {
		if !slices.ContainsFunc(state.Info, func(kv gamespy2.KeyValue) bool { return kv.Key == rule.Key }) {
			state.Info = append(state.Info, gamespy2.KeyValue{Key: rule.Key, Value: rule.Value})
		}
	}
	if len(v.Roster) > 0 {
		state.Players.Columns = []string{"player_", "score_", "ping_", "team_"}
	}
	for _, p := range v.Roster {
		state.Players.Rows = append(state.Players.Rows,
			[]string{viewValue(p.Name), viewNumber(p.Score), viewNumber(p.Ping), viewValue(p.Team)})
	}
	if len(v.Teams) > 0 {
		state.Teams.Columns = []string{"team_t", "score_t"}
	}
	for _, t := range v.Teams {
		state.Teams.Rows = append(state.Teams.Rows, []string{viewValue(t.Name), viewNumber(t.Score)})
	}
	return state
}

func viewValue(s string) string {
	if strings.TrimSpace(s) == "" {
		return " "
	}
	return s
}

func viewNumber(n *int) string {
	if n == nil {
		return "0"
	}
	return strconv.Itoa(*n)
}
