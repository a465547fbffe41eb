package gamespy1net

import (
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/internal/serverlist"
)

// A Game is a game whose servers a [Master] lists.
type Game struct {
	// Key is the key of the game, with which its servers and clients answer challenges. If
	// it is "", no answers are checked.
	Key string

	// Validate lists only servers that answer a challenge. Serious Sam's servers do not,
	// and servers that register by GameAgent cannot, so the latter are only in the list of
	// GameAgent. Validate has no effect without a Key.
	Validate bool

	// Native also adds the servers to the list of GameAgent, which does not name games.
	Native bool

	// QueryPort is the usual query port of the game, for servers whose heartbeats name
	// port 0. 0 means the port that the heartbeat comes from.
	QueryPort uint16
}

// SeriousSam returns the games of Serious Sam by their names: The First Encounter,
// The Second Encounter, and the default name that the dedicated servers of both
// use.
func SeriousSam() map[string]Game {
	sam := Game{Key: gamespy1.SeriousSamKey, Native: true, QueryPort: gameagent.GamePort + 1}
	return map[string]Game{"serioussam": sam, "serioussamfe": sam, "serioussamse": sam}
}

// listRules returns the games of a Master in the form of its list.
func listRules(games map[string]Game) map[string]serverlist.Rules {
	if games == nil {
		games = SeriousSam()
	}
	all := make(map[string]serverlist.Rules, len(games))
	for name, g := range games {
		all[name] = serverlist.Rules(g)
	}
	return all
}
