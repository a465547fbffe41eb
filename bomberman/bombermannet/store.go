package bombermannet

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

// A Store shares the list of a [ManagementServer] with other nodes.
//
// Its methods are called one at a time, in the order of the changes. Put is called for
// a game server that is new in the list or has changed, at most once a second for each
// connection and 1000 times a second in total, and again every 30 seconds while its
// connection lasts. Remove is called once when the game server leaves the list. If a
// node fails, its game servers expire without a call of Remove: there is no further Put
// within [Expiry] after their Seen.
//
// A game server has another ID on each connection. Of entries with the same address and
// port, from the same address, the ManagementServer lists those of its own connections or,
// if there are none, the latest.
//
// The ManagementServer calls Watch when it is first used, and stop from Shutdown and
// Close. Entry.ID is the key.
type Store = lobbywire.Store[Entry, uint64]

// An Entry is a game server that is listed or withheld.
type Entry struct {
	ID       uint64 // random, for its connection; the same on all nodes
	Server   bomberman.Server
	From     netip.AddrPort // peer of the connection; not valid if it is not over TCP
	Seen     time.Time      // when its connection was last known to be open
	Withheld bool           // Admit withholds the game server from the list
}

// Expiry is how long a game server of another node stays listed without a Put.
const Expiry = 100 * time.Second
