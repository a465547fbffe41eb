package warzonegames

import (
	"fmt"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/source"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
)

// Errors of [Games].
var (
	// ErrFull means that a game is not listed because of Limits. The error that wraps it
	// names the limit.
	ErrFull = refusal.New(lobbywire.ReasonFull, "warzonegames: no room for another game",
		"There are too many games in this lobby.")

	// ErrTaken means that a game is not listed because its address belongs to another game,
	// opened through another protocol or later.
	ErrTaken = refusal.New(lobbywire.ReasonTaken, "warzonegames: the address has another game",
		"Another game is listed at your address and port.")

	// ErrAddress means that a game is not listed because clients cannot connect to
	// its Key.
	ErrAddress = refusal.New(lobbywire.ReasonAddress, "warzonegames: clients cannot join a game at this address",
		"Your game cannot be listed.")

	// ErrGone means that a game was not changed because it does not exist: it has expired,
	// or another game has taken its address.
	ErrGone = refusal.New(lobbywire.ReasonInvalid, "warzonegames: the game is not listed", "No such game is listed.")
)

// fullError returns ErrFull with the limit that a game exceeds.
func fullError(of source.Scope, allowed int) error {
	limit, whose := "MaxGames", "in this lobby"
	switch of {
	case source.Address:
		limit, whose = "MaxPerAddress", "from your address"
	case source.Network:
		limit, whose = "MaxPerPrefix", "from your network"
	}
	return refusal.Full(refusals.ReasonFull(of), allowed,
		fmt.Errorf("%w: %s is %d", ErrFull, limit, allowed),
		fmt.Sprintf("There are too many games %s: %d are allowed.", whose, allowed),
	)
}
