package serverlist

import (
	"encoding/json"
	"net/netip"
	"time"
)

// An Entry is a server as masters show it and as their Stores have it, with the fields of
// their Entry.
type Entry struct {
	Game      netip.AddrPort
	Seen      time.Time
	Heartbeat string
	Status    string
	GameName  string
	Session   Session
	Synced    bool
	Withheld  bool
	Local     netip.Addr
	Extra     map[string]json.RawMessage
}

// A Session is the part of a server's status that its heartbeats do not contain.
type Session struct{ Name, GameName string }

// maxSession is the size of the longest Session that is kept, in bytes.
const maxSession = 256

func (s Session) isShort() bool { return len(s.Name)+len(s.GameName) <= maxSession }

// SourceOf returns the address that the server of a game sends from. It is the inverse of
// [gameagent.GameAddr].
func SourceOf(game netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(game.Addr().Unmap(), game.Port()+1)
}

// Expiry is how long a server stays listed after its last heartbeat or answer.
const Expiry = 300 * time.Second
