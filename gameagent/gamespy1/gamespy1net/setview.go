package gamespy1net

import (
	"math"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/internal/answer"
	"github.com/lobbywire/lobbywire/internal/fit"
)

// SetView sets the state of the server to as much of v as the protocol can carry, and
// returns the fields that it has changed; package [lobbywire] describes the rules.
//
//	Name      hostname, up to 700 bytes
//	Game      gamename, like the next up to 200 bytes
//	Version   gamever
//	Map       mapname
//	Mode      gametype
//	Players   numplayers, up to 2147483647
//	Max       maxplayers, up to 2147483647
//	Port      hostport, up to 65534; see Set
//	Password  password
//	Roster    player, frags, ping, team, kills, deaths, and Rules with their keys
//	Teams     teamname_#, teamscore_#
//
// Name contains no zero bytes and no backslashes; Game, Version, Map and Mode contain no
// semicolons, either. Texts of players and teams have up to 255 bytes without control
// characters and backslashes. Scores, kills and deaths have 32 bits, and pings start at 0.
// A rule of a player is left out if its key is one of the others. To make room, Teams are
// first shortened to fit in the first datagram, and properties of players other than name,
// frags and ping left out; then Roster is shortened to at most [gameagent.MaxPlayers]
// players in 8 datagrams. Rules are not sent.
func (s *Server) SetView(v lobbywire.View) (changed []string) {
	var f fit.Fitter
	status := statusOf(&v, &f)
	players := answer.Roster(&v, &f, isRule)
	teams := teamsOf(&v, &f)
	status.Extra = teams
	var e *encoded
	fits := func() bool {
		status.Players = make([]gamespy1.Player, len(players))
		for i := range players {
			status.Players[i] = gamespy1.Player(players[i])
		}
		e = new(encoded)
		return e.encode(status) == nil
	}
	lists := []fit.List{{Name: "teams", Len: len(teams), Cut: func(n int) { status.Extra = teams[:n] }}}
	f.Shorten(fits, append(lists, answer.Lists(&players)...)...) // always succeeds
	s.set(e)
	return f.Changed
}

// statusOf returns the status for v without players and teams, with texts and numbers that
// fit.
func statusOf(v *lobbywire.View, f *fit.Fitter) gamespy1.Status {
	players, places := f.Counts(v, math.MaxInt32)
	port := int(v.Port)
	return gamespy1.Status{
		HostName:    f.Text(fit.Field{Name: "name"}, v.Name, answer.NameRule),
		GameName:    f.Text(fit.Field{Name: "game"}, v.Game, answer.TextRule),
		GameVersion: f.Text(fit.Field{Name: "version"}, v.Version, answer.TextRule),
		MapName:     f.Text(fit.Field{Name: "map"}, v.Map, answer.TextRule),
		GameType:    f.Text(fit.Field{Name: "mode"}, v.Mode, answer.TextRule),
		NumPlayers:  &players,
		MaxPlayers:  &places,
		HostPort:    uint16(f.Number(fit.Field{Name: "port"}, &port, 0, math.MaxUint16-1)),
		Password:    v.Password,
	}
}

// teamsOf returns the keys of teams.
func teamsOf(v *lobbywire.View, f *fit.Fitter) (teams []gamespy1.Pair) {
	for i, t := range v.Teams {
		index := "_" + strconv.Itoa(i)
		name := f.Text(fit.Field{List: "teams", Index: i, Name: "name"}, t.Name, answer.PlayerRule)
		teams = append(teams, gamespy1.Pair{Key: "teamname" + index, Value: name})
		score := fit.Field{List: "teams", Index: i, Name: "score"}
		teams = answer.AppendNumber(teams, "teamscore"+index, f, score, t.Score)
	}
	return teams
}

// isRule reports whether clients read a pair of a player as a rule.
func isRule(e gameagent.Pair) bool {
	m := gamespy1.Status{Players: []gamespy1.Player{{Extra: []gamespy1.Pair{e}}}}
	_, err := m.AppendBinary(nil)
	return err == nil && len(m.View().Roster[0].Rules) == 1
}
