package warzonenet

import "time"

// A Store is by what a [Games] shares its list with other nodes, each of which
// has a Games with a Store of its own. Every Games has the whole list in memory
// and answers from that, so a Store is never asked: it is told what changes
// here, and tells what changes elsewhere.
//
// Put and Remove are called in the order of the changes and hold up the list, so
// they must not block, nor wait for a lock that is held while put or remove of
// Watch are called, nor call Games themselves; a Store that has to wait for a
// network queues what it is told. The clocks of the nodes must agree to a few
// seconds.
//
// What Admit withholds is shared like the rest, and each node asks its own Admit:
// Withheld means nothing to others.
type Store interface {
	// Put is told of a game that is listed from now on or has changed, and
	// every 30 seconds that it is still there. It is gone when its time,
	// e.Expires, is up, which nobody is told; so the games of a node that is
	// no more go within 90 seconds, those opened through a proposal in their
	// time.
	Put(e Entry)

	// Remove is told of a game that is listed no more though its time is not
	// up, also because another has taken its place: that may be one of another
	// node, and then put of Watch has not returned.
	Remove(id uint32)

	// Watch calls put for every game that other nodes have listed, then put
	// and remove as they do, from any goroutine, until stop is called. What a
	// node has told itself should not come back to it. It is called when the
	// first server starts to serve the Games, and stop when none does any more.
	Watch(put func(e Entry), remove func(id uint32)) (stop func())
}

// Times of sharing.
const (
	shareEvery = 30 * time.Second // that a game is still there
	lease      = 90 * time.Second // of a game that has no time of its own
)
