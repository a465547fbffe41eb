package warzonegames

import (
	"fmt"
	"net/netip"

	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
)

// Errors of [Games].
var (
	// ErrFull means that a game is not listed because of MaxGames, MaxPerAddress or
	// MaxPerPrefix. The error that wraps it names the limit.
	ErrFull = refusal.New("warzonegames: no room for another game", "There are too many games in this lobby.")

	// ErrTaken means that a game is not listed because another game, opened through
	// another protocol, has its address.
	ErrTaken = refusal.New("warzonegames: the address has a game of another protocol",
		"Another game is listed at your address and port.")

	// ErrAddress means that a game is not listed because clients cannot connect to
	// its Key.
	ErrAddress = refusal.New("warzonegames: clients cannot join a game at this address", "Your game cannot be listed.")

	// ErrGone means that a game was not changed because it is not listed: it
	// has expired, or another game has its address.
	ErrGone = refusal.New("warzonegames: the game is not listed", "No such game is listed.")
)

// fullLocked returns ErrFull with the limit that keeps a game at an address from being
// listed.
func (g *Games) fullLocked(key netip.AddrPort) error {
	t := &g.table
	limit, allowed, whose := "MaxGames", t.Max, "in this lobby"
	switch ofAddress, ofPrefix := t.Counts(key.Addr()); {
	case ofAddress >= t.MaxPerAddress:
		limit, allowed, whose = "MaxPerAddress", t.MaxPerAddress, "from your address"
	case ofPrefix >= t.MaxPerPrefix:
		limit, allowed, whose = "MaxPerPrefix", t.MaxPerPrefix, "from your network"
	}
	return refusal.Wrap(
		fmt.Errorf("%w: %s is %d", ErrFull, limit, allowed),
		fmt.Sprintf("There are too many games %s: %d are allowed.", whose, allowed),
	)
}
