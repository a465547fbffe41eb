package warzonenet

import (
	"time"

	"github.com/lobbywire/lobbywire"
)

// A Store shares the list of a [Games] with other nodes. The clocks of the nodes must
// agree to a few seconds.
//
// Put and Remove are called in the order of the changes. Put is called for a game that
// was added or changed, at most once a second each and 1000 times a second in total, and
// again every 30 seconds. Games expire at their Expires without another call, so those
// of a dead node are removed within 90 seconds, and those of proposals at the end of
// their lifetime. Remove is called also for a game whose place another one has taken.
// That may be a game of another node, and then put of Watch has not returned yet.
//
// Put also receives games that an HTTPLobby has not published yet, about three times
// each, and put of Watch accepts them. Their HTTP.Announced is not empty. The rate of
// these games is limited by Creates of HTTPLobbyLimits only.
//
// Watch is called when the first server starts to serve the Games, and stop when the
// last one ends. The keys are those of Entry.ID.
type Store = lobbywire.Store[Entry, uint32]

// Times of sharing.
const (
	shareEvery = 30 * time.Second // between repetitions of an unchanged game
	putEvery   = time.Second      // minimum between changes of a game
	lease      = 90 * time.Second // lifetime of a game without a deadline
)

// putsPerSecond is the maximum number of games that the Store receives in a
// second.
const putsPerSecond = 1000
