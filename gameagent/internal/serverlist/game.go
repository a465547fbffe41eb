package serverlist

import (
	"bytes"
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
)

// Rules are the rules for the servers of a game, with the fields of a master's game.
type Rules struct {
	Key       string
	Validate  bool
	Native    bool
	QueryPort uint16
}

// A Game is a game whose servers register by GameSpy, and its list.
type Game struct {
	Rules
	name   string
	owners owners
	next   int // where the next incomplete list begins

	// The last encoded lists, valid for keepLists.
	compactList, textList []byte // nil if it was not requested
	kept                  time.Time
}

// add lists a server by its query address. If the list cannot contain the address, ok is false.
func (g *Game) add(query netip.AddrPort, owner int) (index int, ok bool) {
	_, err := gamespy1.ServerList{Servers: []netip.AddrPort{query}}.AppendBinary(nil)
	if err != nil {
		return 0, false
	}
	return g.owners.add(owner), true
}

// canonical returns the name of a game in the form of the games of a Master: in lower case,
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

// IsNamed reports whether a peer calls the game by a name.
func (g *Game) IsNamed(name string) bool { return string(canonical(name)) == g.name }

// newGames returns the games of a Master, by their canonical names. If several have the
// same name, it chooses the one whose name is in lower case.
func newGames(games map[string]Rules) *map[string]*Game {
	all := make(map[string]*Game, len(games))
	for _, given := range slices.Sorted(maps.Keys(games)) {
		name := string(canonical(given))
		all[name] = &Game{Rules: games[given], name: name}
	}
	return &all
}

// QueryOf returns the address to query after a heartbeat of the game, or of an unknown game
// if g is nil.
func (g *Game) QueryOf(h *gamespy1.Heartbeat, from netip.AddrPort) netip.AddrPort {
	port := h.QueryPort
	if port == 0 && g != nil {
		port = g.QueryPort
	}
	return netip.AddrPortFrom(from.Addr(), cmp.Or(port, from.Port()))
}

// MustValidate reports whether servers are listed only with a right answer to a
// challenge.
func (g *Game) MustValidate() bool { return g.Validate && g.Key != "" }
