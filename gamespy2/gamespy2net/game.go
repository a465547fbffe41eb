package gamespy2net

import (
	"sync/atomic"

	"github.com/lobbywire/lobbywire/gamespy2/internal/gamelist"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

// A Game is a game whose servers a [Master] lists.
type Game struct {
	Name string // gamename of its servers

	// Key is the secret key of the game. Servers need it to register, and clients
	// to read the list.
	Key string

	// Availability is the answer to servers and clients that ask whether the
	// services of the game are available. 0 means available.
	Availability qr2.Availability

	// RequireChallenge makes servers answer only queries with a challenge, and clients send
	// such queries. Without it, clients cannot query servers that themselves require a
	// challenge, so lists contain the requested fields of these servers.
	RequireChallenge bool
}

// A gameTable is the list of the servers of a game.
type gameTable struct {
	Game
	gamelist.List
}

// newGames returns empty lists of games, by name. They count the bytes of their encoded
// lists in encoded.
func newGames(games []Game, encoded *atomic.Int64) *map[string]*gameTable {
	all := make(map[string]*gameTable, len(games))
	for _, g := range games {
		all[g.Name] = &gameTable{Game: g, List: gamelist.List{Encoded: gamelist.Cache{Total: encoded}}}
	}
	return &all
}
