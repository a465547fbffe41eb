package gameagentnet

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
)

// A LegacyGame is a game whose servers a [Master] lists in the legacy form.
type LegacyGame struct {
	// Key is the key of the game, with which its servers and clients answer
	// challenges. "" means that it is unknown; then no answers are checked.
	Key string

	// Validate lists only servers that answer a challenge. Serious Sam's servers
	// do not. It has no effect without a Key.
	Validate bool

	// Native also adds the servers to the native list, which does not name
	// games.
	Native bool
}

// SeriousSam returns the games of Serious Sam by their names: The First Encounter,
// The Second Encounter, and the default name that the dedicated servers of both
// use.
func SeriousSam() map[string]LegacyGame {
	sam := LegacyGame{Key: gameagent.LegacyGameKey, Native: true}
	return map[string]LegacyGame{"serioussam": sam, "serioussamfe": sam, "serioussamse": sam}
}

// A game is a LegacyGame and its list.
type game struct {
	LegacyGame
	name   string
	owners owners

	// The last encoded lists, valid for keepLists.
	compact, text []byte // nil if it was not requested
	kept          time.Time
}

// keepLists is how long an encoded list is reused, so that peers that read slowly
// share the memory of a few lists.
const keepLists = 250 * time.Millisecond

// add lists a server by its query address. If the list is full or cannot contain
// the address, ok is false.
func (g *game) add(query netip.AddrPort, owner int) (place int, ok bool) {
	_, err := gameagent.LegacyServerList{Servers: []netip.AddrPort{query}}.MarshalBinary()
	if err != nil || len(g.owners) == gameagent.MaxServers {
		return 0, false
	}
	return g.owners.add(owner), true
}

// newGames returns the games of a Master, by name.
func newGames(games map[string]LegacyGame) *map[string]*game {
	if games == nil {
		games = SeriousSam()
	}
	all := make(map[string]*game, len(games))
	for name, g := range games {
		all[name] = &game{LegacyGame: g, name: name}
	}
	return &all
}

// mustValidate reports whether servers are listed only with a right answer to a
// challenge.
func (g *game) mustValidate() bool { return g.Validate && g.Key != "" }
