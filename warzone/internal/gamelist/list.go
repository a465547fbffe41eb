// Package gamelist declares the part of a warzonegames.Games that only the lobbies of this
// module need.
package gamelist

import (
	"context"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
)

// A List is a warzonegames.Games for lobbies. E is warzonegames.Entry, which this package
// cannot import. All methods may be called at any time, except as Watch and Unwatch say.
type List[E any] interface {
	// NewID returns an ID that no game has. It is for lobbies whose hosts learn the ID before
	// they add the game.
	NewID() uint32

	// Announce adds an unpublished game, with the address of its host, and returns it. It
	// chooses an ID if the game has none. Lists contain the game once Update or Adopt has
	// given it a Key with a port. Until then it is removed 20 seconds after the last
	// request of its host.
	//
	// The error is ErrUnpublished, or warzonegames.ErrTaken if another game has the ID.
	Announce(e E) (E, error)

	// Adopt is Update for a game that may belong to another node, and moves it to this
	// node, because its host has moved here. The error may also be ErrUnpublished.
	Adopt(id uint32, change func(e *E)) (E, error)

	// Touch records that the host of a game is alive, and sets the time at which the game
	// expires, as Entry.Expires does. It reports whether the game exists.
	Touch(id uint32, expires time.Time) (ok bool)

	// Find returns the published game at an address: the game with that Key or, if there is
	// none, with that Second.
	Find(at netip.AddrPort) (e E, ok bool)

	// PublicAddr returns the address for players of a game at an address, as Public defines it.
	PublicAddr(at netip.AddrPort) netip.AddrPort

	// Records returns the games in the form of a layout, which must be
	// [warzone.LayoutVersioned], [warzone.Layout21] or [warzone.Layout20]; other layouts mean
	// LayoutVersioned. MaxListed limits their number.
	Records(layout warzone.Layout) Records

	// Check runs a Checker until stop is called, which waits for running checks. Package
	// warzonegames documents what is checked, and how often.
	Check(c Checker[E]) (stop func())

	// BeginCheck counts a check of an address at which a host has announced a game, until end
	// is called with its result. It returns false if too many checks run, these and those of
	// Checkers.
	BeginCheck(at netip.Addr) (end func(answered bool), ok bool)

	// Share exchanges games with the Store until stop is called. Several calls count as one
	// until all of them are stopped.
	Share() (stop func())

	// Watch makes v receive the games that are listed, and then all changes, until Unwatch. The
	// List must be locked meanwhile.
	sync.Locker
	Watch(v Viewer[E])
	Unwatch(v Viewer[E])
}

// Records are games in one layout of the protocol up to 4.6, all of the same size.
type Records struct {
	Pages [][]byte // each contains several whole records; they must not be changed
	Count int      // of records
}

// A Checker checks periodically that players can still connect to the games of a lobby.
type Checker[E any] struct {
	// Has reports whether the Checker checks a game. It must be quick, and not call the Games.
	Has func(e *E) bool

	// Check connects to a game, and returns an error if it does not answer. It may be called
	// concurrently, and must limit its time.
	Check func(ctx context.Context, e E) error

	// Changed is called when a game becomes Unreachable, with the error of the last check, and
	// with nil when it has answered again.
	Changed func(e E, err error)
}

// ErrUnpublished means that there are too many unpublished games: 4096 of this node, 64 of
// an IPv4 address or an IPv6 /64, or 512 of an IPv4 /24 or an IPv6 /48.
var ErrUnpublished = refusal.New(lobbywire.ReasonFull, "warzonegames: no room for another unpublished game",
	"There are too many new games.")
