package gameagentnet

import (
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/internal/answer"
	"github.com/lobbywire/lobbywire/internal/fit"
)

// SetView sets the state of the server to as much of v as GameAgent can carry, and returns
// the fields that it has changed; package [lobbywire] describes the rules.
//
//	Name      sessionname, up to 700 bytes
//	Game      gamename, like the next up to 200 bytes
//	Version   version
//	Map       level
//	Mode      gametype
//	Players   players, up to 2147483647
//	Max       maxplayers, up to 2147483647
//	Roster    player, frags, ping, team, kills, deaths, and Rules with their keys
//
// Name contains no zero bytes and no backslashes, which start the keys of the first GameSpy
// protocol; Game, Version, Map and Mode contain no semicolons, either. Texts of players
// have up to 255 bytes without control characters and backslashes. Scores, kills and deaths
// have 32 bits, and pings start at 0. A rule of a player is left out if its key is one of
// the others. To make room, properties of players other than name, frags and ping are left
// out first; then Roster is shortened to at most [gameagent.MaxPlayers] players in 8
// datagrams. Teams and Rules are not sent.
func (s *Server) SetView(v lobbywire.View) (changed []string) {
	var f fit.Fitter
	players, places := f.Counts(&v, math.MaxInt32)
	state := State{
		SessionName: f.Text(fit.Field{Name: "name"}, v.Name, answer.NameRule),
		GameName:    f.Text(fit.Field{Name: "game"}, v.Game, answer.TextRule),
		Version:     f.Text(fit.Field{Name: "version"}, v.Version, answer.TextRule),
		Level:       f.Text(fit.Field{Name: "map"}, v.Map, answer.TextRule),
		GameType:    f.Text(fit.Field{Name: "mode"}, v.Mode, answer.TextRule),
		NumPlayers:  players,
		MaxPlayers:  places,
		Players:     answer.Roster(&v, &f, isRule),
	}
	var e *encoded
	fits := func() bool {
		e = new(encoded)
		return e.encode(state) == nil
	}
	f.Shorten(fits, answer.Lists(&state.Players)...) // always succeeds
	s.set(e)
	return f.Changed
}

// isRule reports whether clients read a pair of a player as a rule.
func isRule(e gameagent.Pair) bool {
	m := gameagent.Players{Count: 1, Players: []gameagent.Player{{Extra: []gameagent.Pair{e}}}}
	_, err := m.AppendBinary(nil)
	return err == nil && len(m.View().Roster[0].Rules) == 1
}
