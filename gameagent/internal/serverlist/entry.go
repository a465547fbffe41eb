package serverlist

import (
	"encoding/json"
	"net/netip"
	"time"
)

// An Entry is a server in the form of masters and their Stores, with the fields of their
// Entry.
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

// maxSession is the maximum size of a Session, in bytes.
const maxSession = 256

func (s Session) isShort() bool { return len(s.Name)+len(s.GameName) <= maxSession }

// SourceOf returns the address that the server of a game sends from. It is the inverse of
// [gameagent.GameAddr].
func SourceOf(game netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(game.Addr().Unmap(), game.Port()+1)
}

// Expiry is the time that a server stays listed after its last heartbeat or answer.
const Expiry = 300 * time.Second
