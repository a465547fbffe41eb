package gamespy2net

import (
	"net/netip"
	"slices"

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

	// RequireChallenge makes servers answer only queries with a challenge, and
	// clients send such queries. Without it, clients cannot query servers that require a
	// challenge themselves, and lists have the requested fields of those.
	RequireChallenge bool
}

// A gameTable is the list of the servers of a game, with its latest changes.
type gameTable struct {
	Game

	listings []*listing // by place, in no particular order

	changes []netip.AddrPort // of the last maxChanges, as a ring
	changed uint64           // number of changes so far
	wake    chan struct{}

	replaced bool // by SetGames

	encoded encodedLists // has its own lock
}

// maxChanges is the number of changes that a gameTable keeps.
const maxChanges = 4096

// A change is a server that is new in a list or has changed, or was removed.
type change struct {
	addr   netip.AddrPort
	server *listing // nil if it is not in the list now
}

// add lists a server and returns its place.
func (g *gameTable) add(l *listing) (place int) {
	g.listings = append(g.listings, l)
	g.note(l.addr)
	return len(g.listings) - 1
}

// replace changes the server at a place.
func (g *gameTable) replace(place int, l *listing) {
	if !l.isSame(g.listings[place]) {
		g.note(l.addr)
	}
	g.listings[place] = l
}

// remove moves the last server to a place, and returns its number.
func (g *gameTable) remove(place int) (moved int) {
	g.note(g.listings[place].addr)
	end := len(g.listings) - 1
	last := g.listings[end]
	g.listings[place] = last
	g.listings = slices.Delete(g.listings, end, end+1)
	return last.owner
}

// note appends a change of a server and wakes the goroutines that wait for one. The changes
// have no listings, because they would keep old ones in memory.
func (g *gameTable) note(server netip.AddrPort) {
	if len(g.changes) < maxChanges {
		g.changes = append(g.changes, server)
	} else {
		g.changes[g.changed%maxChanges] = server
	}
	g.changed++
	g.announce()
}

// announce wakes the goroutines that wait for a change.
func (g *gameTable) announce() {
	if g.wake != nil {
		close(g.wake)
		g.wake = nil
	}
}
