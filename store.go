package lobbywire

// A Store shares the list of a master or lobby with other nodes. E is an entry of the
// list, and K identifies one.
//
// Each node has a master with a Store of its own, holds the whole list in memory and
// answers from there. A Store passes on changes in both directions; it is never
// queried. If a change is lost, the lists agree again after the next Put.
//
// Withheld entries are shared like the others, and each node uses its own Admit: it
// ignores Withheld of other nodes.
type Store[E, K any] interface {
	// Put is called for an entry that is new or has changed, and again while it stays
	// listed. The package of the master documents how often, and after which time
	// without a Put an entry is gone without a call of Remove.
	//
	// Put and Remove hold up the master. They must not block, call the master, or wait
	// for a lock that is held while Watch calls put or remove; a Store that waits for
	// a network needs a queue.
	Put(e E)

	// Remove is called for an entry that is no longer listed although its time is not
	// up.
	Remove(k K)

	// Watch calls put for every entry that other nodes have listed, then put and
	// remove for their changes, from any goroutine, until stop is called. It should
	// leave out the changes of this node. stop may be called several times.
	Watch(put func(e E), remove func(k K)) (stop func())
}
