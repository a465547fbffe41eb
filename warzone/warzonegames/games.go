package warzonegames

import (
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/internal/registry"
)

// A Games holds the open games of one lobby, which all servers of the lobby share. The zero
// value is ready; once it is used, fields must not change except through SetLimits. All
// methods may be called at any time.
//
// # Memory
//
// A game takes about 2 KiB for its [Entry] and, once a lobby has sent it, 1 KiB for a
// record of 814 bytes, which is encoded when the game changes. A list refers to pages of 64
// records; after a change the next list copies one page. The limits bound the total. The
// table of prefixes in which games have answered takes 128 KiB.
type Games struct {
	Limits Limits

	// MaxListed limits the games in one list. 0 means [warzone.MaxGames], 1024,
	// which clients of this library accept by default. If there are more games,
	// those of versions 2 and 3 come first. Each kind is oldest first, but the
	// last game takes the place of a removed one.
	MaxListed int

	// RecordPort is the port of games in the 112-byte layouts, which have no field
	// for it: a warzonenet.Lobby expects their hosts at this port, and lists in these
	// layouts have only games at this port. 0 means [warzone.GamePortOf20], as in clients
	// 2.0 and 2.1. Builds of the game from 10 April 2009 until 2.2, and the official
	// lobby of that time, use [warzone.GamePort].
	RecordPort uint16

	// Admit reports whether a game is listed, as package lobbywire describes; other games
	// are withheld from the lists of all protocols. nil admits all.
	Admit func(e Entry) bool

	// Public maps the address of a game to the one for lists and players, for example
	// 127.0.0.1 to an address that players can reach. It should return other addresses
	// unchanged, and must return the same result each time. A result of another address
	// family is ignored. Lobbies themselves connect to the Key. nil changes none.
	Public func(game netip.AddrPort) netip.AddrPort

	// Store shares the list with other nodes. nil keeps it in the memory of this
	// node only.
	Store Store

	once  sync.Once
	mu    sync.Mutex
	state state // see lock
}

// Limits bound the number of games. Zero and negative ones mean the default.
type Limits struct {
	MaxGames      int // in total; by default 16 384. Each game of a warzonenet.Lobby also needs a connection
	MaxPerAddress int // of an IPv4 address or an IPv6 /64; by default 64
	MaxPerPrefix  int // of an IPv4 /24 or an IPv6 /48; by default 512
}

// SetLimits replaces Limits. Games beyond a lower limit stay open.
func (g *Games) SetLimits(l Limits) {
	s := g.lock()
	defer s.unlock()
	s.setLimits(l)
}

func (g lobbies) PublicAddr(at netip.AddrPort) netip.AddrPort {
	if !at.IsValid() {
		return at
	}
	return registry.Public(g.Public, at, func(public netip.AddrPort) bool {
		return joinable(public) && public.Addr().Is4() == at.Addr().Is4()
	})
}

// joinable reports whether players can connect to an address.
func joinable(a netip.AddrPort) bool {
	return a.IsValid() && a.Port() != 0 && !a.Addr().IsUnspecified() && !a.Addr().IsMulticast()
}

// lock removes expired games, and returns the others until unlock is called.
func (g *Games) lock() *state {
	g.once.Do(func() { g.state.init(g) })
	g.mu.Lock()
	g.state.expire(time.Now())
	return &g.state
}

// locked locks the Games as lock does, for callers that need no state.
func (g *Games) locked() (unlock func()) { return g.lock().unlock }
