package warzonenet

import "time"

// A Store shares the list of a [Games] with other nodes, each of which has a Games
// with a Store of its own. Every Games holds the whole list in memory, so a Store
// is never queried: it receives the changes of this node and delivers those of the
// others.
//
// Put and Remove are called in the order of the changes and hold up the list. So
// they must not block, wait for a lock that is held while Watch calls put or
// remove, or call Games; a Store with a network queues what it receives. The clocks
// of the nodes must agree to a few seconds.
//
// Withheld games are shared like others, and each node calls its own Admit:
// Withheld means nothing to other nodes.
type Store interface {
	// Put receives a game that was added or changed, at most once a second each and
	// 1000 a second in total, and every listed game again every 30 seconds. Games expire at e.Expires without another call, so the
	// games of a dead node are removed within 90 seconds, and those of proposals at
	// the end of their lifetime.
	Put(e Entry)

	// Remove receives the ID of a game that was removed before it expired, also
	// because another game has taken its place. That may be a game of another node,
	// and then put of Watch has not returned yet.
	Remove(id uint32)

	// Watch calls put for every game that other nodes have listed, and then put and
	// remove as they change, from any goroutine, until stop is called. It should
	// not return a node's own games. It is called when the first server starts to
	// serve the Games, and stop when the last one ends.
	Watch(put func(e Entry), remove func(id uint32)) (stop func())
}

// Times of sharing.
const (
	shareEvery = 30 * time.Second // that a game is still there
	putEvery   = time.Second      // of a game, at most
	lease      = 90 * time.Second // of a game that has no time of its own
)

// putsPerSecond is how many games the Store receives in a second.
const putsPerSecond = 1000
