package serverlist

import (
	"encoding/json"
	"hash/maphash"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// A List holds the servers of a master and their games. A server is listed once, whether it
// has registered by one protocol or by both. The fields must not change after Start.
type List struct {
	Admit  func(e Entry) bool                         // as in a master
	Public func(server netip.AddrPort) netip.AddrPort // as in a master
	Proven *limit.Proven                              // prefixes of servers that are verified

	// Servers are the servers by query address, which is also the source of GameAgent's
	// heartbeats. Expiry is set by Start.
	Servers registry.Servers[netip.AddrPort, server, Entry]

	games   atomic.Pointer[map[string]*Game] // by name
	answers answerList                       // with the list of GameAgent; guarded by the lock of Servers
	moved   lane                             // servers that may have moved to another port
	seed    maphash.Seed
}

// A server has returned a challenge of GameAgent, or has answered a query of GameSpy, or
// both. It is hidden after it has joined again.
type server struct {
	heartbeat string                     // the last one of GameAgent, or ""
	status    string                     // the last answer of GameSpy, or ""
	game      *Game                      // nil if the List does not contain it
	in        *Game                      // the game whose list contains it, or nil
	index     int32                      // in the list of GameAgent, or nowhere
	gameIndex int32                      // in the list of in
	namedPort uint16                     // query port in its heartbeats if it is silent and they come from another port, or 0
	synced    bool                       // known only from another master
	identity  uint64                     // with a heartbeat; see identityOf
	session   Session                    // with a heartbeat
	local     netip.Addr                 // where its last heartbeat arrived; not valid if unknown
	extra     map[string]json.RawMessage // of its Entry

	// By the Clock of the servers, 0 if never.
	hid     time.Duration // when it was last hidden
	checked time.Duration // when it was last queried, or is queried next
	heard   time.Duration // when its last heartbeat of GameSpy without a change of state arrived
	proved  time.Duration // when its prefix was last added to the proven ones
	asked   time.Duration // when it was last checked because it may have moved
}

const nowhere = -1

// Locked gives access to the servers of a List while its lock is held.
type Locked = registry.Locked[netip.AddrPort, server, Entry]

// isNative reports whether the list of GameAgent may contain the server: not if it uses
// only GameSpy and its game does not set Native.
func (s *server) isNative() bool { return s.heartbeat != "" || s.game.Native }

// Admits reports whether Admit lists a server.
func (l *List) Admits(t *Locked, i int) bool {
	return l.Admit == nil || l.Admit(l.Entry(t, i))
}

// List adds server i to the list of GameAgent and to the list of its game.
func (l *List) List(t *Locked, i int) {
	s := t.Value(i)
	query := t.Key(i)
	s.index = nowhere
	if s.isNative() {
		s.index = int32(l.answers.add(l.publicAddr(gameagent.GameAddr(query)), i))
	}
	if s.game != nil {
		if index, ok := s.game.add(query, i); ok {
			s.in, s.gameIndex = s.game, int32(index)
		}
	}
}

// Unlist removes server i from the lists.
func (l *List) Unlist(t *Locked, i int) {
	s := t.Value(i)
	if s.index != nowhere {
		t.Value(l.answers.remove(int(s.index))).index = s.index
	}
	if s.in != nil {
		t.Value(s.in.owners.remove(int(s.gameIndex))).gameIndex = s.gameIndex
		s.in = nil
	}
}

// Entry returns server i.
func (l *List) Entry(t *Locked, i int) Entry {
	s := t.Value(i)
	e := Entry{
		Game:      gameagent.GameAddr(t.Key(i)),
		Seen:      t.Deadline(i).Add(-Expiry),
		Heartbeat: s.heartbeat,
		Status:    s.status,
		Synced:    s.synced,
		Withheld:  t.State(i) == registry.Withheld,
		Local:     s.local,
		Session:   s.session,
		Extra:     s.extra,
	}
	if s.status != "" {
		e.GameName = s.game.name
	}
	return e
}

// decide lists or withholds server i, as Admit decides, in the lists to which it now
// belongs.
func (l *List) decide(t *Locked, i int) {
	s := t.Value(i)
	if t.State(i) == registry.Listed && ((s.index != nowhere) != s.isNative() || s.in != s.game) {
		t.Hide(i)
	}
	t.Decide(i)
}

// Listable reports whether a server that sends from an address can be listed.
func Listable(from netip.AddrPort) bool { return registry.IsHost4(from.Addr()) && from.Port() > 1 }

// publicAddr returns the address of a server in lists.
func (l *List) publicAddr(at netip.AddrPort) netip.AddrPort {
	return registry.Public(l.Public, at, Listable)
}

// Game returns the game with a name, or nil.
func (l *List) Game(name string) *Game { return (*l.games.Load())[string(canonical(name))] }

// MasterKey returns the key of masters, or "" if the games do not contain it.
func (l *List) MasterKey() string {
	if g := l.Game(gamespy1.MasterGame); g != nil {
		return g.Key
	}
	return ""
}
