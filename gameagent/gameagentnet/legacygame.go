package gameagentnet

import (
	"bytes"
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
)

// A LegacyGame is a game whose servers a [Master] lists in the legacy form.
type LegacyGame struct {
	// Key is the key of the game, with which its servers and clients answer
	// challenges. "" means that it is unknown; then no answers are checked.
	Key string

	// Validate lists only servers that answer a challenge. Serious Sam's servers do
	// not, and native servers cannot, so these are in the native list alone. It has no
	// effect without a Key.
	Validate bool

	// Native also adds the servers to the native list, which does not name
	// games.
	Native bool

	// QueryPort is the usual query port of the game, for servers whose heartbeats name
	// port 0. 0 means the port that the heartbeat comes from.
	QueryPort uint16
}

// SeriousSam returns the games of Serious Sam by their names: The First Encounter,
// The Second Encounter, and the default name that the dedicated servers of both
// use.
func SeriousSam() map[string]LegacyGame {
	sam := LegacyGame{Key: gamespy1.SeriousSamKey, Native: true, QueryPort: gameagent.GamePort + 1}
	return map[string]LegacyGame{"serioussam": sam, "serioussamfe": sam, "serioussamse": sam}
}

// A game is a LegacyGame and its list.
type game struct {
	LegacyGame
	name   string
	owners owners
	next   int // where the next list begins that has not all of them

	// The last encoded lists, valid for keepLists.
	compactList, textList []byte // nil if it was not requested
	kept                  time.Time
}

// keepLists is how long an encoded list is reused, so that peers that read slowly
// share the memory of a few lists.
const keepLists = 250 * time.Millisecond

// add lists a server by its query address. If the list cannot contain the address, ok is false.
func (g *game) add(query netip.AddrPort, owner int) (index int, ok bool) {
	_, err := gamespy1.ServerList{Servers: []netip.AddrPort{query}}.AppendBinary(nil)
	if err != nil {
		return 0, false
	}
	return g.owners.add(owner), true
}

// canonical returns the name of a game as the games of a Master have it: in lower case,
// without the white space and zero bytes that some games send around it.
func canonical(name string) []byte {
	b := bytes.Trim([]byte(name), " \t\r\n\x00")
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c - 'A' + 'a'
		}
	}
	return b
}

// isNamed reports whether a peer calls the game by a name.
func (g *game) isNamed(name string) bool { return string(canonical(name)) == g.name }

// newGames returns the games of a Master, by their canonical names. Of several with one
// name, it has the one whose name is in lower case.
func newGames(games map[string]LegacyGame) *map[string]*game {
	if games == nil {
		games = SeriousSam()
	}
	all := make(map[string]*game, len(games))
	for _, given := range slices.Sorted(maps.Keys(games)) {
		name := string(canonical(given))
		all[name] = &game{LegacyGame: games[given], name: name}
	}
	return &all
}

// queryOf returns the address to query after a heartbeat of the game, or of one that is
// unknown if g is nil.
func (g *game) queryOf(h *gamespy1.Heartbeat, from netip.AddrPort) netip.AddrPort {
	port := h.QueryPort
	if port == 0 && g != nil {
		port = g.QueryPort
	}
	return netip.AddrPortFrom(from.Addr(), cmp.Or(port, from.Port()))
}

// mustValidate reports whether servers are listed only with a right answer to a
// challenge.
func (g *game) mustValidate() bool { return g.Validate && g.Key != "" }
