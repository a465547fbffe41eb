package lobbywire

// A Store shares the list of a master or lobby with other nodes. E is an entry of the
// list, and K identifies one.
//
// Each node has a master with its own Store, holds the whole list in memory and
// answers from there. A Store forwards changes in both directions; it is never
// queried. If a change is lost, the lists agree again after the next Put.
//
// Entries that the Admit of a master withholds from its list are shared too. Each
// node uses only its own Admit.
//
// Entries contain bytes of the wire, which JSON would change. To send or save one, use its
// AppendBinary or MarshalBinary, and UnmarshalBinary, as the second example does. Later versions
// of this library read the form. An earlier version ignores members that it does not know, but
// keeps them in the Extra of the entry and writes them again, so nodes of different versions can
// share a list. It returns [ErrUnsupported] for a form that it would misread.
type Store[E, K any] interface {
	// Put is called for an entry that is new or has changed, and repeatedly while it stays
	// listed. The package of the master documents how often, and how long after the last
	// Put an entry expires.
	//
	// The master waits for Put, Remove and Expire. They must not block, call the master,
	// or wait for a lock that is held while Watch calls put or remove. A Store that sends
	// over a network needs a queue, as in the example.
	Put(e E)

	// Remove is called for an entry that leaves the list before it expires. Where entries last as
	// long as connections, those of bombermannet and of hosts at a warzonenet.Lobby, it is called
	// by Shutdown and Close: a Store that keeps entries for a later run must ignore it then.
	Remove(k K)

	// Expire is called for an entry that expires here, including entries of other nodes. A
	// Store that keeps entries for a later run removes it. Other nodes must not remove it:
	// it expires there too, unless its host now registers with them.
	Expire(k K)

	// Watch calls put for every entry that other nodes have listed, then put and remove for
	// their changes, from any goroutine, until stop is called. It should omit changes made
	// by this node. put ignores an entry that has expired, and Expire is not called for it.
	// The function stop may be called several times.
	Watch(put func(e E), remove func(k K)) (stop func())
}
