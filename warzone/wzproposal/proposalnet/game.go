package proposalnet

import (
	"cmp"
	"encoding/json"
	"math"
	"net/netip"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A Game is a game that a [Host] announces or a [Listing] contains. Each proposal defines
// some of the fields; a Host does not send the others.
type Game struct {
	Host netip.Addr // as the lobby saw it; a Host does not send it

	// Port is the TCP port of the game. A Host of the JSON proposal does not send it: the
	// lobby lists the game at [wzjson.DefaultPort].
	Port uint16

	Name       string
	Map        string
	Tech       wzjson.Tech // in the JSON proposal
	MaxPlayers uint32      // capacity of the game; 0 if it is unknown

	// Status is the state of the game in the text and the binary proposal. For a Host it is
	// StatusStarted or StatusOpen, which the empty Status means, too.
	Status wzproposal.Status

	Extra map[string]json.RawMessage // unknown members in the JSON proposal
}

// View returns the game in the common form. The number of players is unknown.
//
//	Name      Name
//	Game      "warzone2100"
//	Map       Map
//	Host      Host
//	Port      Port
//	Max       MaxPlayers
//	Rules     tech, Extra and status
func (g Game) View() lobbywire.View {
	v := jsonOf(g).View()
	if g.Status != "" {
		v.Rules = append(v.Rules, lobbywire.Rule{Key: "status", Value: lobbywire.UTF8(string(g.Status))})
	}
	return v
}

// The longest texts of a game in a lobby, in bytes. With them, the longest address and the
// largest numbers, a game fits in a frame of the binary proposal.
const (
	maxName = 124
	maxMap  = 64
	maxTech = 16
)

// fit returns the game with texts that all proposals can carry.
func (g Game) fit() Game {
	g.Name = refusal.Shown(g.Name, maxName)
	g.Map = refusal.Shown(g.Map, maxMap)
	g.Tech = wzjson.Tech(refusal.Shown(string(g.Tech), maxTech))
	return g
}

// describe sets the fields of an entry that hosts describe.
func (g Game) describe(e *warzonegames.Entry) {
	g = g.fit()
	e.Game.Name, e.Game.MapName, e.Game.MaxPlayers = g.Name, g.Map, g.MaxPlayers
	e.Tech = string(g.Tech)
	e.Started = g.Status == wzproposal.StatusStarted
}

// gameOf returns the game of an entry of any lobby.
func gameOf(e *warzonegames.Entry) Game {
	g := Game{
		Host:       e.Key.Addr(),
		Port:       e.Key.Port(),
		Name:       e.Game.Name,
		Map:        e.Game.MapName,
		Tech:       wzjson.Tech(e.Tech),
		MaxPlayers: e.Game.MaxPlayers,
		Status:     wzproposal.StatusOpen,
	}
	if e.Started {
		g.Status = wzproposal.StatusStarted
	}
	return g.fit()
}

// gameOfJSON returns a game without the memory of its message, which may be mostly white
// space.
func gameOfJSON(g wzjson.Game) Game {
	return Game{
		Host:       g.Host,
		Port:       cmp.Or(g.Port, wzjson.DefaultPort),
		Name:       strings.Clone(g.Name),
		Map:        strings.Clone(g.Map),
		Tech:       wzjson.Tech(strings.Clone(string(g.Tech))),
		MaxPlayers: uint32(g.MaxPlayers),
		Extra:      g.Extra,
	}
}

// jsonOf returns a game in the form of the proposal, without a number of players that it
// cannot carry.
func jsonOf(g Game) wzjson.Game {
	j := wzjson.Game{Host: g.Host, Port: g.Port, Name: g.Name, Map: g.Map, Tech: g.Tech, Extra: g.Extra}
	if g.MaxPlayers <= math.MaxInt32 {
		j.MaxPlayers = int(g.MaxPlayers)
	}
	return j
}

// gameOfColumns returns a game without the memory of its message.
func gameOfColumns(c wzproposal.Game) Game {
	return Game{
		Host:       c.IP,
		Port:       c.Port,
		Name:       strings.Clone(c.Name),
		Map:        strings.Clone(c.Map),
		MaxPlayers: c.MaxPlayers,
		Status:     wzproposal.Status(strings.Clone(string(c.Status))),
	}
}

// columnsOf returns a game in the form of the text and the binary proposal.
func columnsOf(g Game) wzproposal.Game {
	return wzproposal.Game{
		IP: g.Host, Port: g.Port, Name: g.Name, Map: g.Map, MaxPlayers: g.MaxPlayers, Status: g.Status,
	}
}
