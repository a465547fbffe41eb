package gameagentnet

import (
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
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
//	Roster    player, frags, ping  player, frags, ping
//
// Name has neither zero bytes nor backslashes; Game, Version, Map and Mode neither these
// nor semicolons. Names of players have up to 255 bytes without control characters and
// backslashes. Scores have 32 bits, and pings start at 0. Roster is shortened to up to
// [gameagent.MaxPlayers] players in 8 datagrams. Rules and Teams are not sent.
func (s *Server) SetView(v lobbywire.View) (changed []string) {
	var f fit.Fitter
	state := stateOf(&v, &f)
	var e *encoded
	fits := func() bool {
		e = new(encoded)
		return e.encode(state) == nil
	}
	players := state.Players
	f.Shorten(fits, // which always succeeds
		fit.List{Name: "roster", Len: len(players), Cut: func(n int) { state.Players = players[:n] }},
	)
	s.state.Store(e)
	return f.Changed
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
	state.Legacy.Password = v.Password != nil && *v.Password
	for i, p := range v.Roster {
		at := func(name string) fit.Field { return fit.Field{List: "roster", Index: i, Name: name} }
		state.Players = append(state.Players, gameagent.Player{
			Index: i,
			Name:  f.Text(at("name"), p.Name, playerRule),
			Frags: int32(f.Number(at("score"), p.Score, math.MinInt32, math.MaxInt32)),
			Ping:  f.Number(at("ping"), p.Ping, 0, math.MaxInt32),
		})
	}
	return state
}
