package warzonegames

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
)

// Errors of [Games].
var (
	// ErrFull means that a game is not listed because of MaxGames, MaxPerAddress or
	// MaxPerPrefix. The error that wraps it names the limit.
	ErrFull = refusal.New(lobbywire.ReasonFull, "warzonegames: no room for another game",
		"There are too many games in this lobby.")

	// ErrTaken means that a game is not listed because another game, opened through
	// another protocol, has its address.
	ErrTaken = refusal.New(lobbywire.ReasonTaken, "warzonegames: the address has a game of another protocol",
		"Another game is listed at your address and port.")

	// ErrAddress means that a game is not listed because clients cannot connect to
	// its Key.
	ErrAddress = refusal.New(lobbywire.ReasonAddress, "warzonegames: clients cannot join a game at this address",
		"Your game cannot be listed.")

	// ErrGone means that a game was not changed because it is not listed: it
	// has expired, or another game has its address.
	ErrGone = refusal.New(lobbywire.ReasonInvalid, "warzonegames: the game is not listed", "No such game is listed.")
)
