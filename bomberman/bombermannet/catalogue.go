package bombermannet

import (
	"bytes"
	"errors"
	"math"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// A catalogue holds the game servers of a ManagementServer, and their list. It implements
// [registry.Master].
type catalogue struct {
	// Admit and Public of the ManagementServer.
	admit  func(e Entry) bool
	public func(server netip.AddrPort) netip.AddrPort

	servers registry.Servers[uint64, registered, Entry] // by ID
	began   time.Time                                   // this run

	// Guarded by the lock of servers:
	list   list
	claims claims
	ended  []uint64 // IDs that removeEnded removes
}

// start begins to share the game servers over a Store, which may be nil.
func (c *catalogue) start(store Store) {
	c.claims, c.began = make(claims), time.Now()
	c.servers.Expiry, c.servers.Connected, c.servers.Store = Expiry, true, store
	c.servers.Start(c, c.put, c.servers.Forget)
}

// Admits reports whether Admit lists a game server.
func (c *catalogue) Admits(t *locked, i int) bool {
	return c.admit == nil || c.admit(c.Entry(t, i))
}

// Entry returns game server i.
func (c *catalogue) Entry(t *locked, i int) Entry {
	s := t.Value(i)
	e := Entry{
		ID: t.Key(i), Server: s.server, From: s.from, Seen: s.seen,
		Withheld: t.State(i) == registry.Withheld, Extra: s.extra,
	}
	if e.Seen.IsZero() {
		e.Seen = time.Now()
	}
	return e
}

// List adds game server i to the list.
func (c *catalogue) List(t *locked, i int) {
	s := t.Value(i)
	g := c.list.groupOf(s)
	s.index = g.add(i)
	g.write(t, s.index)
	c.claims.listedAt(t, i, c.began)
}

// Unlist removes game server i from the list.
func (c *catalogue) Unlist(t *locked, i int) {
	s := t.Value(i)
	g := c.list.groupOf(s)
	moved, from := g.remove(s.index)
	t.Value(moved).index = s.index
	if s.index/perPage != from/perPage {
		g.write(t, s.index)
	}
	g.write(t, from)
	c.claims.unlistedAt(t, i)
}

// maxEntry bounds the size of an entry in the list, in bytes, so that no game
// server takes the space of many others.
const maxEntry = 1024

var errEntryTooLong = errors.New("bombermannet: entry too long")

// encode returns the entry of a game server in the list, unless it is too long.
func (c *catalogue) encode(s bomberman.Server) ([]byte, error) {
	c.publish(&s)
	b, err := s.AppendListed(make([]byte, 0, 256)) // enough for most
	if err == nil && len(b) > maxEntry {
		err = errEntryTooLong
	}
	return bytes.Clone(b), err
}

// publish replaces the address of a game server by its public one.
func (c *catalogue) publish(s *bomberman.Server) {
	if c.public == nil {
		return
	}
	addr, err := netip.ParseAddr(s.Address)
	if err != nil || s.Port > math.MaxUint16 {
		return
	}
	at := netip.AddrPortFrom(addr, uint16(s.Port)) // AppendListed refuses ports below 0
	public := registry.Public(c.public, at, netip.AddrPort.IsValid)
	if public != at {
		s.Address, s.Port = public.Addr().String(), int(public.Port())
	}
}

// set changes game server i, and its entry in the list if it is listed. Decide must follow.
func (c *catalogue) set(t *locked, i int, to bomberman.Server, encoded []byte) {
	s := t.Value(i)
	moves := s.server.Address != to.Address || s.server.Port != to.Port
	if t.State(i) == registry.Listed && (moves || s.server.IsLobbyOpen != to.IsLobbyOpen) {
		t.Hide(i) // its endpoint or its group changes
	}
	same := bytes.Equal(s.encoded, encoded)
	s.server, s.encoded = to, encoded
	if t.State(i) == registry.Listed && !same {
		c.list.groupOf(s).write(t, s.index)
	}
}

// remove removes a game server whose connection has ended.
func (c *catalogue) remove(id uint64) {
	c.servers.Update(id, time.Now(), false, func(*locked, int) registry.Outcome { return registry.Remove })
}

// removeLater keeps a game server listed until removeEnded.
func (c *catalogue) removeLater(id uint64) {
	c.servers.Do(time.Now(), func(*locked) { c.ended = append(c.ended, id) })
}

// removeEnded removes the game servers that stayed listed until all connections had ended.
func (c *catalogue) removeEnded() {
	var all []uint64
	c.servers.Do(time.Now(), func(*locked) { all, c.ended = c.ended, nil })
	for _, id := range all {
		c.remove(id)
	}
}

// answer returns the answer to a query.
func (c *catalogue) answer() (frame net.Buffers) {
	c.servers.Do(time.Now(), func(*locked) { frame = c.list.answer() })
	return frame
}

// put lists a game server that another node has listed. It ignores invalid entries.
func (c *catalogue) put(e Entry) {
	e.Server.Extra, e.Server.Players.Extra = nil, nil
	encoded, err := c.encode(e.Server)
	if err != nil {
		return
	}
	if now := time.Now(); e.Seen.After(now) {
		e.Seen = now // clocks differ
	}
	c.servers.Merge(e.ID, e.Seen, func(t *locked, i int) {
		s := t.Value(i)
		if s.from.Addr() != e.From.Addr() {
			t.Hide(i) // its endpoint changes
		}
		s.from, s.seen, s.extra = e.From, e.Seen, e.Extra
		c.set(t, i, compacted(e.Server), encoded)
		if e.From.IsValid() {
			c.claims.claimElsewhere(t, i)
		} else {
			t.Decide(i)
		}
	})
}
