package bomberman

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Server is an entry in the list of a management server.
//
//wire:object
type Server struct {
	Name string `wire:"name,should=notEmpty"` // any text except ""
	// for clients: IPv4, IPv6 or a host name
	Address string `wire:"address,should=validAddress"`
	// of the game server: 1 to 65535, except Port
	Port         int                        `wire:"port,should=validPort"`
	Players      PlayerCount                `wire:"players"`
	IsLobbyOpen  bool                       `wire:"isLobbyOpen"` // whether players can join now
	GameplayMode GameplayMode               `wire:"gameplayMode,should=valid"`
	Extra        map[string]json.RawMessage // unknown members
}

// Check returns an error that names the first field that breaks the rules, or nil.
// Management servers that do not check registrations may list any text and any
// number.
func (m Server) Check() error {
	w := wire.NewWriter(nil)
	m.append(&w)
	_, err := w.Finish(proto)
	return err
}

// Reasons for refusing a value.
const (
	notEmptyFault wire.Invalid = "missing"
	validMaxFault wire.Invalid = "is not from 2 to 4"
)

// notEmpty reports whether s may be the name of a server.
func notEmpty(s string) bool { return s != "" }

// A PlayerCount counts the players and places of a game server.
//
//wire:object
type PlayerCount struct {
	// players on the server; with waiting players, may exceed Max
	Current int                        `wire:"current,intOrText,should=validCount"`
	Max     int                        `wire:"max,should=validMax"` // players in a round: 2 to 4
	Extra   map[string]json.RawMessage // unknown members
}

// validMax reports whether a round can have n players.
func validMax(n int) bool { return n >= minPlayers && n <= MaxPlayers }
