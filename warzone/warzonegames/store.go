package warzonegames

import (
	"time"

	"github.com/lobbywire/lobbywire"
)

// A Store shares the list of a [Games] with other nodes. The clocks of the nodes must
// agree within a few seconds.
//
// Its methods are called in the order of the changes. Put is called for a game that was
// added or changed, at most once a second for each game and 1000 times a second in total,
// and again every 30 seconds. The games of a failed node therefore expire within 90 seconds
// or, for proposals, at the end of their lifetime. Remove is also called for a replaced
// game, before put of Watch returns if a game of another node replaces it.
//
// Put also receives unpublished games of a wzhttpnet.Lobby, about three times each, and put
// of Watch accepts them. Their Key has no port.
//
// Watch is called when the first server starts to serve the Games, and stop when the
// last one ends. The key of an entry is its ID.
type Store = lobbywire.Store[Entry, uint32]

// Times of sharing.
const (
	shareEvery = 30 * time.Second // between repetitions of an unchanged game
	putEvery   = time.Second      // minimum between changes of a game
	lease      = 90 * time.Second // lifetime of a game without a deadline
)

// putsPerSecond is the maximum number of games that the Store receives in a second.
const putsPerSecond = 1000
