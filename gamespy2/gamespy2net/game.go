package gamespy2net

import (
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

// A Game is a game whose servers a [Master] lists.
type Game struct {
	Name string // gamename of its servers

	// Key is the secret key of the game. Servers need it to register, and clients
	// to read the list.
	Key string

	// Availability is the answer to servers and clients that ask whether the
	// services of the game are available. 0 means available.
	Availability qr2.Availability

	// RequireChallenge makes servers answer only queries with a challenge, and
	// clients send such queries. Without it, clients cannot query servers that require a
	// challenge themselves, and lists have the requested fields of those.
	RequireChallenge bool
}

// A listing is a server in the list of a game. It is immutable: if the server
// changes, a new listing replaces it.
type listing struct {
	owner   int            // the number of the server in the Master
	addr    netip.AddrPort // public address of the query port
	private netip.AddrPort // local address; not valid if there is none, or if it is addr
	natneg  bool           // clients reach the server by NAT negotiation

	// The server answers only queries with a challenge, which clients do not send.
	needsChallenge bool

	info            []gamespy2.KeyValue // keys that clients see, up to maxListedKeys
	country, region string              // of addr; "" if unknown
	heartbeat       string              // the last one in its wire form
}

// maxListedKeys bounds the memory of a server. Battlefield 2 has 45 keys.
const maxListedKeys = 256

// Keys that the master adds to info.
const (
	countryKey = "country"
	regionKey  = "region"
)

// newListing returns the listing that replaces old, or the first one of server i if old is
// nil.
func (m *Master) newListing(i int, r *report, heartbeat string, old *listing) *listing {
	addr, info := m.servers.Key(i), r.heartbeat.GameInfo()
	l := &listing{
		owner:     i,
		addr:      addr,
		private:   privateAddr(&r.identity, addr),
		natneg:    r.identity.NATNegotiation,
		info:      slices.Clone(info[:min(len(info), maxListedKeys)]),
		heartbeat: heartbeat,
	}
	if old != nil {
		l.country, l.region, l.needsChallenge = old.country, old.region, old.needsChallenge
	} else if m.Locate != nil {
		l.country, l.region = m.Locate(addr.Addr())
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

// isSame reports whether clients see no difference between two listings.
func (l *listing) isSame(other *listing) bool {
	return l.private == other.private && l.natneg == other.natneg && l.needsChallenge == other.needsChallenge &&
		slices.Equal(l.info, other.info)
}

// lookup returns the value of a key that clients see.
func (l *listing) lookup(key string) (value string, ok bool) {
	switch {
	case key == countryKey && l.country != "":
		return l.country, true
	case key == regionKey && l.region != "":
		return l.region, true
	}
	return gamespy2.Response{Info: l.info}.Lookup(key)
}

// A gameTable is the list of the servers of a game, with its latest changes.
type gameTable struct {
	Game

	listings []*listing // by place, in no particular order

	changes []change // the last maxChanges, as a ring
	changed uint64   // number of changes so far
	wake    chan struct{}

	encoded encodedLists // has its own lock
}

// maxChanges is the number of changes that a gameTable keeps.
const maxChanges = 4096

// A change is a server that is new in a list or has changed, or was removed.
type change struct {
	server  *listing
	removed bool
}

// add lists a server and returns its place.
func (g *gameTable) add(l *listing) (place int) {
	g.listings = append(g.listings, l)
	g.note(change{l, false})
	return len(g.listings) - 1
}

// replace changes the server at a place.
func (g *gameTable) replace(place int, l *listing) {
	if !l.isSame(g.listings[place]) {
		g.note(change{l, false})
	}
	g.listings[place] = l
}

// remove moves the last server to a place, and returns its number.
func (g *gameTable) remove(place int) (moved int) {
	g.note(change{g.listings[place], true})
	end := len(g.listings) - 1
	last := g.listings[end]
	g.listings[place] = last
	g.listings = slices.Delete(g.listings, end, end+1)
	return last.owner
}

// note appends a change and wakes the goroutines that wait for one.
func (g *gameTable) note(c change) {
	if len(g.changes) < maxChanges {
		g.changes = append(g.changes, c)
	} else {
		g.changes[g.changed%maxChanges] = c
	}
	g.changed++
	if g.wake != nil {
		close(g.wake)
		g.wake = nil
	}
}

// gameNamed returns the game with a name, or nil if it is not in Games.
func (m *Master) gameNamed(name string) *gameTable {
	m.start()
	return m.games[name]
}

// snapshot returns all listings of a game, and the position from which changesSince
// continues without a gap. If there were no changes since position, all is nil.
func (m *Master) snapshot(g *gameTable, since uint64) (all []*listing, position uint64) {
	m.servers.Lock(time.Now())
	defer m.servers.Unlock()
	if g.changed > since {
		all = slices.Clone(g.listings)
	}
	return all, g.changed
}

// changesSince appends the changes in the list of a game after a position, oldest
// first, and returns the position after them. If some of them are no longer kept, ok is
// false. The channel wake is closed at the next change.
func (m *Master) changesSince(g *gameTable, position uint64, dst []change) (changes []change, next uint64, wake <-chan struct{}, ok bool) {
	m.servers.Lock(time.Now())
	defer m.servers.Unlock()
	if g.changed-position > uint64(len(g.changes)) {
		return dst, g.changed, nil, false
	}
	for ; position < g.changed; position++ {
		dst = append(dst, g.changes[position%maxChanges])
	}
	if g.wake == nil {
		g.wake = make(chan struct{})
	}
	return dst, position, g.wake, true
}
