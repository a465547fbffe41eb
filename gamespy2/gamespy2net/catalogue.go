package gamespy2net

import (
	"encoding/json"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/internal/gamelist"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A catalogue holds the games of a Master and their servers, which the registrar or another
// node registers and the list server lists. It implements [registry.Master].
type catalogue struct {
	// Admit, Public and Locate of the Master.
	admit  func(e Entry) bool
	public func(server netip.AddrPort) netip.AddrPort
	locate func(addr netip.Addr) (country, region string)

	games   atomic.Pointer[map[string]*gameTable]               // by name
	servers registry.Servers[netip.AddrPort, registered, Entry] // by the address that heartbeats come from
	encoded atomic.Int64                                        // bytes of the cached lists of all games
	foreign atomic.Uint64                                       // as in MasterStats

	// Listed servers, guarded by the lock of servers.
	mapped map[netip.AddrPort]netip.AddrPort // the addresses of servers that public maps, by the public address
}

// registered is a server that has answered a challenge. It is hidden until it has answered
// a check.
type registered struct {
	game    *gameTable
	key     [4]byte    // the instance key
	local   netip.Addr // where its last datagram arrived; not valid if unknown
	listing *gamelist.Listing
	index   int                        // in the list of its game while it is listed
	proved  time.Duration              // when its prefix was last added to the proven ones, by the Clock of the servers
	extra   map[string]json.RawMessage // of its Entry
}

// locked gives access to the servers of a catalogue while its lock is held.
type locked = registry.Locked[netip.AddrPort, registered, Entry]

// start begins to share the servers over a Store, which may be nil.
func (c *catalogue) start(games []Game, store Store) {
	c.games.Store(newGames(games, &c.encoded))
	c.servers.Expiry, c.servers.Store = Expiry, store
	c.servers.Start(c, c.put, func(addr netip.AddrPort) { c.servers.Forget(udp.Unmap(addr)) })
}

// Admits reports whether Admit lists a server.
func (c *catalogue) Admits(t *locked, i int) bool {
	return c.admit == nil || c.admit(c.Entry(t, i))
}

// Entry returns server i.
func (c *catalogue) Entry(t *locked, i int) Entry {
	s := t.Value(i)
	return Entry{
		Game:           s.game.Name,
		Addr:           t.Key(i),
		Seen:           lastSeen(t, i),
		Heartbeat:      s.listing.Heartbeat,
		NeedsChallenge: s.listing.NeedsChallenge,
		Withheld:       t.State(i) == registry.Withheld,
		Local:          s.local,
		Extra:          s.extra,
	}
}

// lastSeen returns the time of the last heartbeat or keepalive of server i.
func lastSeen(t *locked, i int) time.Time { return t.Deadline(i).Add(-Expiry) }

// List adds server i to the list of its game.
func (c *catalogue) List(t *locked, i int) {
	s := t.Value(i)
	c.keepMapped(s.listing.Addr, t.Key(i))
	s.index = s.game.Add(s.listing)
}

// Unlist removes server i from the list of its game.
func (c *catalogue) Unlist(t *locked, i int) {
	s := t.Value(i)
	c.forgetMapped(s.listing.Addr, t.Key(i))
	t.Value(s.game.Remove(s.index)).index = s.index
}

// put lists a server that another node has listed. It ignores invalid entries.
func (c *catalogue) put(e Entry) {
	from := udp.Unmap(e.Addr)
	if !listable(from) || len(e.Heartbeat) > qr2.MaxHeartbeat {
		return
	}
	r, game := c.read([]byte(e.Heartbeat))
	if game == nil || r.identity.State == qr2.StateShutdown {
		return
	}
	c.servers.Merge(from, e.Seen, func(t *locked, i int) {
		c.set(t, i, game, &r, e.Heartbeat)
		c.setNeedsChallenge(t, i, e.NeedsChallenge)
		t.Value(i).local, t.Value(i).extra = e.Local, e.Extra
		t.Decide(i)
	})
	if c.game(game.Name) != game { // SetGames has changed it meanwhile
		c.servers.Forget(from)
	}
}

// listable reports whether a server that sends from an address can be listed.
func listable(from netip.AddrPort) bool { return registry.IsHost4(from.Addr()) && from.Port() > 0 }

// A report is a parsed heartbeat.
type report struct {
	heartbeat qr2.Heartbeat
	identity  qr2.Identity
}

// read parses a heartbeat and returns the game of the server, or nil if the game is
// unknown or the heartbeat is malformed.
func (c *catalogue) read(heartbeat []byte) (r report, game *gameTable) {
	var err error
	r.heartbeat, err = qr2.ParseHeartbeat(heartbeat)
	if err == nil {
		r.identity = r.heartbeat.Identity()
		game = c.game(r.identity.GameName)
	}
	if game == nil {
		c.foreign.Add(1)
	}
	return r, game
}

// game returns the game with a name, or nil.
func (c *catalogue) game(name string) *gameTable { return (*c.games.Load())[name] }

// set replaces the report of server i.
func (c *catalogue) set(t *locked, i int, game *gameTable, r *report, heartbeat string) {
	s := t.Value(i)
	if s.game != game {
		t.Hide(i)
		s.game = game
	}
	l := c.newListing(t.Key(i), r, heartbeat, s.listing)
	l.Owner = i
	if t.State(i) == registry.Listed {
		game.Replace(s.index, l)
	}
	s.key, s.listing = r.heartbeat.Key, l
}

// newListing returns the listing that replaces old, or the first one of a server if old is
// nil.
func (c *catalogue) newListing(
	from netip.AddrPort, r *report, heartbeat string, old *gamelist.Listing,
) *gamelist.Listing {
	addr := registry.Public(c.public, from, listable)
	l := &gamelist.Listing{
		Addr:           addr,
		Private:        privateAddr(&r.identity, addr),
		NATNegotiation: r.identity.NATNegotiation,
		Info:           gamelist.MakeKeys(r.heartbeat.GameInfo()),
		Heartbeat:      heartbeat,
	}
	if old != nil {
		l.Country, l.Region, l.NeedsChallenge = old.Country, old.Region, old.NeedsChallenge
	} else if c.locate != nil {
		l.Country, l.Region = c.locate(addr.Addr())
	}
	return l
}

// privateAddr returns the first local IPv4 address other than addr, or an invalid one.
func privateAddr(v *qr2.Identity, addr netip.AddrPort) netip.AddrPort {
	for _, a := range v.LocalAddrs {
		local := netip.AddrPortFrom(a.Unmap(), v.LocalPort)
		if local.Addr().Is4() && local.Port() != 0 && local != addr {
			return local
		}
	}
	return netip.AddrPort{}
}

// setNeedsChallenge sets whether server i needs a challenge that clients do not send.
func (c *catalogue) setNeedsChallenge(t *locked, i int, needs bool) {
	s := t.Value(i)
	needs = needs && !s.game.RequireChallenge
	if s.listing.NeedsChallenge == needs {
		return
	}
	l := *s.listing
	l.NeedsChallenge = needs
	if t.State(i) == registry.Listed {
		s.game.Replace(s.index, &l)
	}
	s.listing = &l
}

// keepMapped keeps the address of a listed server, so that clients find it by its public one.
func (c *catalogue) keepMapped(public, at netip.AddrPort) {
	if public == at {
		return
	}
	if c.mapped == nil {
		c.mapped = make(map[netip.AddrPort]netip.AddrPort)
	}
	c.mapped[public] = at
}

// forgetMapped undoes keepMapped, unless another server has taken the public address.
func (c *catalogue) forgetMapped(public, at netip.AddrPort) {
	if c.mapped[public] == at {
		delete(c.mapped, public)
	}
}
