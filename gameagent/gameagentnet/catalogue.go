package gameagentnet

import (
	"cmp"
	"encoding/json"
	"hash/maphash"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// A catalogue has the games of a Master and the servers of both forms: those that the
// registrar, the checker or another node has registered, and that the list server lists. It
// implements [registry.Master].
type catalogue struct {
	// Admit and Public of the Master.
	admit  func(e Entry) bool
	public func(server netip.AddrPort) netip.AddrPort

	games atomic.Pointer[map[string]*game] // by name

	// by query address, which is also the source of native heartbeats
	servers registry.Servers[netip.AddrPort, registered, Entry]
	list    answerList // guarded by the lock of servers
	moved   lane       // servers that may have moved to another port
	seed    maphash.Seed
}

// registered is a server that has returned a challenge in the native form, or has
// answered a query in the legacy form, or both. It is hidden after it has joined again.
type registered struct {
	heartbeat string                     // the last native one, or ""
	status    string                     // the last legacy answer, or ""
	game      *game                      // nil if the catalogue does not have it
	in        *game                      // the game in whose list it is, or nil
	index     int32                      // in the native list, or nowhere
	gameIndex int32                      // in the list of in
	namedPort uint16                     // query port in its heartbeats if that is silent and they come from another, or 0
	synced    bool                       // known only from another master
	identity  uint64                     // of a native server; see identityOf
	session   Session                    // of a native server
	local     netip.Addr                 // where its last heartbeat arrived; not valid if that is unknown
	extra     map[string]json.RawMessage // of its Entry

	// By the Clock of the servers, 0 if never.
	hid     time.Duration // when it was last hidden
	checked time.Duration // when it was last queried in the legacy form, or is queried next
	heard   time.Duration // when its last legacy heartbeat arrived that is no change of state
	proved  time.Duration // when its prefix was last added to the proven ones
	asked   time.Duration // when it was last checked because it may have moved
}

const nowhere = -1

// locked are the servers of a catalogue while they are locked.
type locked = registry.Locked[netip.AddrPort, registered, Entry]

// isNative reports whether the native list may have the server. It does not get a server
// that uses only the legacy form and whose game does not have Native.
func (s *registered) isNative() bool { return s.heartbeat != "" || s.game.Native }

// start begins to share the servers over a Store, which may be nil.
func (c *catalogue) start(games map[string]LegacyGame, store Store) {
	c.games.Store(newGames(games))
	c.seed = maphash.MakeSeed()
	c.servers.Expiry = Expiry
	if store != nil {
		c.servers.Store = storeBySource{store}
	}
	c.servers.Start(c, c.put, c.servers.Forget)
}

// Admits reports whether the lists have a server.
func (c *catalogue) Admits(t *locked, i int) bool {
	return c.admit == nil || c.admit(c.Entry(t, i))
}

// List adds server i to the native list and to the list of its game.
func (c *catalogue) List(t *locked, i int) {
	s := t.Value(i)
	query := t.Key(i)
	s.index = nowhere
	if s.isNative() {
		s.index = int32(c.list.add(c.publicAddr(gameagent.GameAddr(query)), i))
	}
	if s.game != nil {
		if index, ok := s.game.add(query, i); ok {
			s.in, s.gameIndex = s.game, int32(index)
		}
	}
}

// Unlist removes server i from the lists.
func (c *catalogue) Unlist(t *locked, i int) {
	s := t.Value(i)
	if s.index != nowhere {
		t.Value(c.list.remove(int(s.index))).index = s.index
	}
	if s.in != nil {
		t.Value(s.in.owners.remove(int(s.gameIndex))).gameIndex = s.gameIndex
		s.in = nil
	}
}

// Entry returns server i.
func (c *catalogue) Entry(t *locked, i int) Entry {
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

// decide lists or withholds server i, as Admit decides, in the lists in which it
// should be now.
func (c *catalogue) decide(t *locked, i int) {
	s := t.Value(i)
	if t.State(i) == registry.Listed && ((s.index != nowhere) != s.isNative() || s.in != s.game) {
		t.Hide(i)
	}
	t.Decide(i)
}

// put lists a server that another node has listed. It ignores invalid entries.
func (c *catalogue) put(e Entry) {
	from := sourceOf(e.Game)
	g := c.game(e.GameName)
	if e.Game.Port() == 0 || !listable(from) || len(e.Heartbeat) > gameagent.MaxHeartbeat ||
		len(e.Status) > gameagent.MaxPacket || e.Heartbeat == "" && (e.Status == "" || g == nil) {
		return
	}
	c.servers.Merge(from, e.Seen, func(t *locked, i int) {
		s := t.Value(i)
		s.local, s.extra = e.Local, e.Extra
		session := s.session
		if e.Session != (Session{}) && e.Session.isShort() {
			s.session = e.Session
		}
		if g == nil {
			e.Status = ""
		}
		if t.State(i) != registry.Hidden { // keep what this node knows of the other form
			e.Synced = e.Synced && s.synced
			e.Heartbeat = cmp.Or(e.Heartbeat, s.heartbeat)
			if e.Status == "" {
				e.Status, g = s.status, s.game
			}
			if s.heartbeat == e.Heartbeat && s.status == e.Status && s.game == g && s.session == session {
				s.synced = e.Synced
				return
			}
		}
		isNew := t.State(i) == registry.Hidden
		s.status, s.game, s.synced = e.Status, g, e.Synced
		c.setHeartbeat(t, i, e.Heartbeat)
		c.decide(t, i)
		if isNew {
			c.checkMoved(t, i, time.Now())
		}
	})
}

// maxSession is the size of the longest Session that is kept, in bytes.
const maxSession = 256

func (s Session) isShort() bool { return len(s.Name)+len(s.GameName) <= maxSession }

// setSession sets the session of a native server.
func (c *catalogue) setSession(from netip.AddrPort, session Session, now time.Time) {
	if !session.isShort() {
		return
	}
	c.servers.Update(from, now, false, func(t *locked, i int) registry.Outcome {
		s := t.Value(i)
		if s.heartbeat == "" || s.session == session {
			return registry.Ignore
		}
		s.session = session
		if t.State(i) != registry.Hidden {
			t.Decide(i)
		}
		return registry.Share
	})
}

// listable reports whether a server that sends from an address can be listed.
func listable(from netip.AddrPort) bool { return registry.IsHost4(from.Addr()) && from.Port() > 1 }

// publicAddr returns the address of a server in lists.
func (c *catalogue) publicAddr(at netip.AddrPort) netip.AddrPort {
	return registry.Public(c.public, at, listable)
}

// game returns the game with a name, or nil.
func (c *catalogue) game(name string) *game { return (*c.games.Load())[string(canonical(name))] }

// masterKey returns the key of masters, or "" if the games do not have it.
func (c *catalogue) masterKey() string {
	if g := c.game(gamespy1.MasterGame); g != nil {
		return g.Key
	}
	return ""
}

// setHeartbeat sets the native heartbeat of a server. If the server is not
// listed yet, it also sets the identity and, if it has no status, the game.
func (c *catalogue) setHeartbeat(t *locked, i int, heartbeat string) {
	s := t.Value(i)
	s.heartbeat = heartbeat
	if t.State(i) != registry.Hidden {
		return
	}
	s.identity = c.identityOf(heartbeat)
	if s.status == "" {
		s.game = c.productOf(heartbeat)
	}
}

// productOf returns the game that a native heartbeat names as its product, or nil. A native
// server does not prove that it has the key of a game, so it is in no game that must validate.
func (c *catalogue) productOf(heartbeat string) *game {
	h, _ := gameagent.ParseHeartbeat([]byte(heartbeat)) // an invalid one names no product
	g := c.game(h.Product)
	if g != nil && g.mustValidate() {
		return nil
	}
	return g
}
