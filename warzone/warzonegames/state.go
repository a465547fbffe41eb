package warzonegames

import (
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"math"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/source"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
)

// A state holds the games of a Games in one table. Its methods require the lock of the
// Games.
//
// It is not a registry.Servers, the list of the other masters, because the rules differ.
// There, the key is both the address that the limits count and the key of the Store, all
// servers have the same lifetime, and a server belongs to the last node that has seen it.
// Here, the Store identifies a game by ID, a game replaces another one at its address, has
// a deadline of its own or none, and belongs to the node that receives its host's requests.
// Options of Servers for this would only add complexity.
type state struct {
	games *Games // its settings
	now   time.Time

	table     registry.Table[uint32, *registration] // all games, by ID
	byKey     map[netip.AddrPort]*registration      // published games
	bySecond  map[netip.AddrPort]*registration      // published games with another address
	published source.Counter                        // by Key
	announced source.Counter                        // unpublished games of this node, by address of the host
	elsewhere int                                   // unpublished games of other nodes

	viewers  []gamelist.Viewer[Entry] // receive all changes of published games
	records  records
	withheld int    // games
	refused  uint64 // games
	draft    Entry  // that update changes, reused to avoid an allocation

	outbox  registry.Outbox[*registration]
	checks  *checks
	sharing sharing
}

// Limits of unpublished games, of this node and in total of others.
const (
	maxAnnounced           = 4096
	maxAnnouncedPerAddress = 64
	maxAnnouncedPerPrefix  = 512
	maxElsewhere           = 4096
)

func (s *state) init(g *Games) {
	s.games = g
	s.byKey = make(map[netip.AddrPort]*registration)
	s.bySecond = make(map[netip.AddrPort]*registration)
	s.setLimits(g.Limits)
	s.announced = source.Counter{
		Max: maxAnnounced, MaxPerAddress: maxAnnouncedPerAddress, MaxPerPrefix: maxAnnouncedPerPrefix,
	}
	s.checks = new(checks)
	s.outbox = registry.Outbox[*registration]{Every: putEvery, PerSecond: putsPerSecond}
	s.records.init()
}

func (s *state) setLimits(l Limits) {
	s.published.Max = cmp.Or(max(l.MaxGames, 0), 16_384)
	s.published.MaxPerAddress = cmp.Or(max(l.MaxPerAddress, 0), 64)
	s.published.MaxPerPrefix = cmp.Or(max(l.MaxPerPrefix, 0), 512)
}

func (s *state) unlock() { s.games.mu.Unlock() }

// find returns the game with an ID, or nil.
func (s *state) find(id uint32) *registration {
	if i, ok := s.table.Find(id); ok {
		return *s.table.Value(i)
	}
	return nil
}

func (s *state) newID() uint32 {
	for {
		var b [4]byte
		rand.Read(b[:]) // cannot fail
		id := binary.BigEndian.Uint32(b[:]) & math.MaxInt32
		if id != 0 && id != warzone.Filler+1 && s.find(id) == nil {
			return id
		}
	}
}

// count counts a game in its state.
func (s *state) count(reg *registration) {
	switch key := reg.entry.Key; {
	case reg.entry.Published():
		s.byKey[key] = reg
		s.published.Add(key.Addr())
	case reg.remote:
		s.elsewhere++
	default:
		s.announced.Add(key.Addr())
	}
}

// uncount reverts count.
func (s *state) uncount(reg *registration) {
	switch key := reg.entry.Key; {
	case reg.entry.Published():
		delete(s.byKey, key)
		s.published.Remove(key.Addr())
	case reg.remote:
		s.elsewhere--
	default:
		s.announced.Remove(key.Addr())
	}
}

// isFull reports whether a limit refuses another game of an address.
func isFull(c *source.Counter, a netip.Addr) bool {
	_, limit := c.Exceeded(a)
	return limit > 0
}
