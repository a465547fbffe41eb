package warzonegames

import (
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/source"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
)

// A Games has the open games of one lobby, which all servers of the lobby share. The zero
// value is ready; fields must not change once it is used, except by SetLimits. All methods may be called at any
// time.
//
// # Memory
//
// A game takes about 2 KiB for its [Entry] and, once Records was called, 1 KiB for
// a record of 814 bytes, which is encoded when the game changes. A list refers to pages of
// 64 records; after a change the next list copies one page. The limits bound the total.
type Games struct {
	// MaxGames limits the number of games. 0 means 16 384; each game of a
	// warzonenet.Lobby also needs a connection.
	MaxGames int

	// MaxPerAddress limits the games of an IPv4 address or an IPv6 /64, which
	// differ in their ports. 0 means 64.
	MaxPerAddress int

	// MaxPerPrefix limits the games of an IPv4 /24 or an IPv6 /48. 0 means 512.
	MaxPerPrefix int

	// MaxListed limits the games in one list. 0 means [warzone.MaxGames], 1024,
	// which clients of this library accept by default. If there are more games,
	// those of versions 2 and 3 come first. Each kind is oldest first, but the
	// last game takes the place of a removed one.
	MaxListed int

	// RecordPort is the port of games in the 112-byte layouts, which have no field
	// for it: a warzonenet.Lobby expects their hosts at this port, and lists in these
	// layouts have only games at this port. 0 means [warzone.GamePortOf20], as in clients
	// 2.0 and 2.1. Builds of the game from 10 April 2009 until 2.2, and the official
	// lobby of that time, use [warzone.GamePort].
	RecordPort uint16

	// Admit reports whether a game is listed, as package lobbywire describes; other games
	// are withheld from the lists of all protocols. nil admits all.
	Admit func(e Entry) bool

	// Public returns the address that lists and players get in place of one that players cannot
	// use, such as 127.0.0.1, and other addresses as they are. It must return the same address
	// each time, and not change IPv4 to IPv6 or back; otherwise it is ignored. Lobbies themselves
	// connect to the Key. nil changes none.
	Public func(game netip.AddrPort) netip.AddrPort

	// Store shares the list with other nodes. nil keeps it in the memory of this
	// node only.
	Store Store

	once sync.Once

	mu        sync.Mutex
	table     registry.Table[netip.AddrPort, *registration] // by Key
	byID      map[uint32]*registration
	bySecond  map[netip.AddrPort]*registration
	announced map[uint32]*registration // not published yet, by ID; not in the table
	sections  [sectionCount]section
	lists     [listCount]Records // by layout, as last requested
	viewers   []viewer           // receive all changes
	withheld  int                // games
	changes   uint64
	refused   uint64
	draft     Entry                // that Update changes, so that it needs no other memory
	scratch   [sectionCount][]byte // the records of the game that viewers receive, by section

	outbox registry.Outbox[*registration]
	checks source.Counter // that run

	serving int    // number of Serve calls
	unwatch func() // of the Store, while any Serve runs
	refresh *time.Timer
}

// Limits are the limits on the number of games, as the fields of [Games] describe them. Zero
// and negative ones mean the default.
type Limits struct {
	MaxGames      int
	MaxPerAddress int
	MaxPerPrefix  int
}

// A registration is a game that is listed or withheld.
type registration struct {
	entry  Entry
	number int       // in the table
	remote bool      // it belongs to another node
	shared time.Time // when the Store last received it
	stored bool      // the Store has it
	check  check     // of a game of this node
}

// never is the lifetime of a game without a deadline.
const never = 100 * 365 * 24 * time.Hour

func (g *Games) init() {
	g.setLimitsLocked(Limits{g.MaxGames, g.MaxPerAddress, g.MaxPerPrefix})
	g.byID = make(map[uint32]*registration)
	g.bySecond = make(map[netip.AddrPort]*registration)
	g.announced = make(map[uint32]*registration)
	g.outbox = registry.Outbox[*registration]{Every: putEvery, PerSecond: putsPerSecond}
	g.checks = source.Counter{Max: maxChecks, MaxPerAddress: maxChecksPerAddress, MaxPerPrefix: maxChecksPerPrefix}
	for i, layout := range [sectionCount]warzone.Layout{section21: warzone.Layout21, section20: warzone.Layout20} {
		g.sections[i].layout = layout
	}
}

// SetLimits replaces the limits on the number of games. Games beyond a lower one stay open.
func (g *Games) SetLimits(l Limits) {
	defer g.locked()()
	g.setLimitsLocked(l)
}

func (g *Games) setLimitsLocked(l Limits) {
	g.table.Max = cmp.Or(max(l.MaxGames, 0), 16_384)
	g.table.MaxPerAddress = cmp.Or(max(l.MaxPerAddress, 0), 64)
	g.table.MaxPerPrefix = cmp.Or(max(l.MaxPerPrefix, 0), 512)
}

// lock locks g and removes expired games.
func (g *Games) lock() (now time.Time) {
	g.once.Do(g.init)
	g.mu.Lock()
	now = time.Now()
	g.table.Expire(now, math.MaxInt, func(i int) { g.expireLocked(*g.table.Value(i)) })
	return now
}

// expireLocked removes reg, which has expired, from all but the table.
func (g *Games) expireLocked(reg *registration) {
	g.hideLocked(reg)
	if g.Store != nil {
		g.Store.Expire(reg.entry.ID)
	}
}

// locked is lock for a function that needs only the lock.
func (g *Games) locked() (unlock func()) {
	g.lock()
	return g.mu.Unlock
}

// PublicAddr returns the address for players of a game at an address, as Public defines it.
func (g *Games) PublicAddr(at netip.AddrPort) netip.AddrPort {
	if !at.IsValid() {
		return at
	}
	return registry.Public(g.Public, at, func(public netip.AddrPort) bool {
		return joinable(public) && public.Addr().Is4() == at.Addr().Is4()
	})
}

// joinable reports whether players can connect to an address.
func joinable(a netip.AddrPort) bool {
	return a.IsValid() && a.Port() != 0 && !a.Addr().IsUnspecified() && !a.Addr().IsMulticast()
}

// NewID returns an ID that no game has. It is for lobbies whose hosts learn the ID before
// they add the game.
func (g *Games) NewID() uint32 {
	defer g.locked()()
	return g.newIDLocked()
}

func (g *Games) newIDLocked() uint32 {
	for {
		var b [4]byte
		rand.Read(b[:]) // cannot fail
		id := binary.BigEndian.Uint32(b[:]) & math.MaxInt32
		if id != 0 && id != warzone.Filler+1 && g.byID[id] == nil {
			return id
		}
	}
}

// atLocked returns the game at an address, or nil.
func (g *Games) atLocked(key netip.AddrPort) *registration {
	if i, ok := g.table.Find(key); ok {
		return *g.table.Value(i)
	}
	return nil
}

// fullLocked returns ErrFull with the limit that keeps a game at an address from being
// listed.
func (g *Games) fullLocked(key netip.AddrPort) error {
	t := &g.table
	of, allowed := t.Exceeded(key.Addr())
	limit, whose := "MaxGames", "in this lobby"
	switch of {
	case source.Address:
		limit, whose = "MaxPerAddress", "from your address"
	case source.Network:
		limit, whose = "MaxPerPrefix", "from your network"
	}
	return refusal.Full(refusals.ReasonFull(of), allowed,
		fmt.Errorf("%w: %s is %d", ErrFull, limit, allowed),
		fmt.Sprintf("There are too many games %s: %d are allowed.", whose, allowed),
	)
}

// putLocked lists e in place of the game at its Key.
func (g *Games) putLocked(e Entry, remote bool) (*registration, error) {
	if !joinable(e.Key) {
		return nil, ErrAddress
	}
	if other := g.byID[e.ID]; other != nil && other.entry.Key != e.Key {
		return nil, ErrTaken
	}
	reg := g.atLocked(e.Key)
	switch {
	case reg == nil:
		i, ok := g.table.Add(e.Key, e.Opened)
		if !ok {
			g.refused++
			return nil, g.fullLocked(e.Key)
		}
		reg = &registration{number: i}
		reg.entry.Key = e.Key
		*g.table.Value(i) = reg
	case e.Source != reg.entry.Source && !e.Source.replacesAny() && !remote:
		return nil, ErrTaken
	}
	if !remote {
		// A game that is opened again keeps the results of its checks, unless the lobby has just connected to it.
		again := e.Source == reg.entry.Source && !e.Verified
		e.Verified = e.Verified || again && reg.entry.Verified
		e.Unreachable = again && reg.entry.Unreachable
	}
	was, own := reg.entry.ID, !reg.remote
	if err := g.replaceLocked(reg, &e); err != nil {
		if was == 0 {
			g.table.Remove(reg.number)
		}
		return nil, err
	}
	reg.remote = remote
	if was != e.ID {
		delete(g.byID, was)
		g.byID[e.ID] = reg
		if own {
			g.unshareLocked(reg, was)
		}
	}
	return reg, nil
}

// replaceLocked makes e the entry of reg, with the same Key, and updates the lists. It
// changes e.
func (g *Games) replaceLocked(reg *registration, e *Entry) error {
	e.Game.Host = g.PublicAddr(e.Key).Addr().String()
	e.Game.GameID = e.ID
	if err := g.encodeLocked(e); err != nil {
		return err
	}
	e.Game, e.Tech = e.Game.Clone(), strings.Clone(e.Tech)
	e.HTTP = e.HTTP.Clone()
	e.HTTP.Announced = nil
	e.Withheld = reg.entry.Withheld
	g.setSecondLocked(reg, e.HTTP.Second)
	reg.entry = *e
	g.setDeadlineLocked(reg)
	g.judgeLocked(reg)
	g.presentLocked(reg)
	return nil
}

// encodeLocked sets scratch to the records of e.
func (g *Games) encodeLocked(e *Entry) error {
	at, second := g.PublicAddr(e.Key), g.PublicAddr(e.HTTP.Second)
	recordPort := cmp.Or(g.RecordPort, warzone.GamePortOf20)
	for i := range g.scratch {
		var err error
		g.scratch[i], err = e.appendRecord(g.scratch[i][:0], i, at, second, recordPort)
		if err != nil {
			return err
		}
	}
	return nil
}

// presentLocked updates the lists for reg, whose records are in scratch.
func (g *Games) presentLocked(reg *registration) {
	for _, v := range g.viewers {
		v.put(&reg.entry)
	}
	g.changes++
}

// watchLocked makes v receive the games that are open, and then all changes.
func (g *Games) watchLocked(v viewer) {
	for _, reg := range slices.SortedFunc(maps.Values(g.byID), func(a, b *registration) int {
		return cmp.Or(a.entry.Opened.Compare(b.entry.Opened), a.entry.Key.Compare(b.entry.Key))
	}) {
		g.encodeLocked(&reg.entry) // cannot fail, because it has succeeded before
		v.put(&reg.entry)
	}
	g.viewers = append(g.viewers, v)
}

// unwatchLocked undoes watchLocked.
func (g *Games) unwatchLocked(v viewer) {
	g.viewers = slices.DeleteFunc(g.viewers, func(w viewer) bool { return w == v })
}

func (g *Games) setDeadlineLocked(reg *registration) {
	deadline := reg.entry.Expires
	if deadline.IsZero() {
		deadline = reg.entry.Seen.Add(never)
	}
	g.table.SetDeadline(reg.number, deadline)
}

// removeLocked removes reg.
func (g *Games) removeLocked(reg *registration) {
	g.hideLocked(reg)
	g.table.Remove(reg.number)
}

// hideLocked removes reg from all but the table.
func (g *Games) hideLocked(reg *registration) {
	for _, v := range g.viewers {
		v.remove(&reg.entry)
	}
	delete(g.byID, reg.entry.ID)
	g.setSecondLocked(reg, netip.AddrPort{})
	if reg.entry.Withheld {
		g.withheld--
	}
	g.changes++
}

// judgeLocked decides whether reg is withheld, and reports whether that has changed.
func (g *Games) judgeLocked(reg *registration) (changed bool) {
	was := reg.entry.Withheld
	if was {
		g.withheld--
	}
	reg.entry.Withheld = reg.entry.Unreachable || g.Admit != nil && !g.Admit(reg.entry)
	if reg.entry.Withheld {
		g.withheld++
	}
	return reg.entry.Withheld != was
}

// setSecondLocked sets the second address of reg. It removes a game that was
// opened there through another protocol.
func (g *Games) setSecondLocked(reg *registration, second netip.AddrPort) {
	if was := reg.entry.HTTP.Second; g.bySecond[was] == reg {
		delete(g.bySecond, was)
	}
	if !second.IsValid() {
		return
	}
	g.bySecond[second] = reg
	if other := g.atLocked(second); other != nil && other != reg && other.entry.Source != SourceHTTP {
		g.removeLocked(other)
		if !other.remote {
			g.unshareLocked(other, other.entry.ID)
		}
	}
}

// unshareLocked removes a game of this node from the Store, where its ID is id.
func (g *Games) unshareLocked(reg *registration, id uint32) {
	if reg.stored {
		reg.stored = false
		g.Store.Remove(id)
	}
}
