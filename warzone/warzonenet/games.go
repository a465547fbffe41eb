package warzonenet

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"math"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/warzone"
)

// Errors of [Games].
var (
	// ErrFull is why a game is not listed if there are MaxGames already, or as
	// many of its address or prefix as may be.
	ErrFull = errors.New("warzonenet: no room for another game")

	// ErrTaken is why a game is not listed if its address has one that was
	// opened in another protocol.
	ErrTaken = errors.New("warzonenet: the address has a game of another protocol")

	// ErrAddress is why a game is not listed whose Key nobody could connect to.
	ErrAddress = errors.New("warzonenet: not an address to join a game at")

	// ErrGone is why a game is not changed that is not listed, or no longer:
	// its time is up, or another is listed at its address.
	ErrGone = errors.New("warzonenet: the game is not listed")
)

// Games are the open games of one lobby, which all servers of that share: what
// is opened through one of them all show. Its zero value is ready; fields must
// not change once it is used. All methods may be called at any time.
//
// # Memory
//
// A game takes about 3 KiB: its [Entry] and, as lists hold it, a record of 814
// bytes. Records are made when a game changes and lie in pages of 64. A list
// is a view of the pages; a change after it makes a copy of one page. The
// limits bound all of it.
type Games struct {
	// MaxGames is how many games are listed at most. 0 means 16 384: a host
	// costs a connection, and a process some 16 KiB for each.
	MaxGames int

	// MaxPerAddress limits the games of an IPv4 address or an IPv6 /64. 0 means
	// 64: games behind one address differ in their ports.
	MaxPerAddress int

	// MaxPerPrefix limits those of an IPv4 /24 or an IPv6 /48. 0 means 512.
	MaxPerPrefix int

	// MaxListed is how many games one answer shows at most. 0 means
	// [warzone.MaxGames], 1024, which is what clients of this library accept by
	// default. If there are more, it shows those of versions 2 and 3 first, and
	// of each kind those that were opened first, but that the place of a game
	// that goes is taken by the last.
	MaxListed int

	// Admit tells whether a game that could be listed is. What it does not admit
	// is on no list of any protocol and otherwise like a listed game: its host
	// is answered as usual, it is among All, as Withheld, is shared, and counts
	// for the limits. nil admits all.
	//
	// It is asked of every game when that comes or changes, here or in the Store,
	// maybe also when nothing has changed, and by Review. It is called by one
	// goroutine at a time, which holds up all others, so it must be quick, and
	// must not call Games.
	Admit func(e Entry) bool

	// Store shares the list with other nodes. Without one it is in the memory
	// of this one alone.
	Store Store

	once sync.Once

	mu       sync.Mutex
	table    registry.Table[*registration] // by Key
	byID     map[uint32]*registration
	sections [sectionCount]section
	lists    [listCount]list // as they were last asked for
	viewers  []viewer        // that are told of what is put and removed
	withheld int             // games
	changes  uint64
	refused  uint64
	scratch  records

	serving int    // how many Serve calls use it
	unwatch func() // of the Store, while any does
	refresh *time.Timer
}

// A registration is a game that is listed or withheld.
type registration struct {
	entry  Entry
	places [sectionCount]int // nowhere if the section does not show it
	remote bool              // another node has told of it
	shared time.Time         // when the Store was told last
}

const nowhere = -1

// never is when the time of a game is up that has none.
const never = 100 * 365 * 24 * time.Hour

// Defaults of Games.
const (
	defaultMaxGames        = 16_384
	defaultGamesPerAddress = 64
	defaultGamesPerPrefix  = 512
)

func (g *Games) init() {
	g.table.Max = cmp.Or(g.MaxGames, defaultMaxGames)
	g.table.MaxPerAddress = cmp.Or(g.MaxPerAddress, defaultGamesPerAddress)
	g.table.MaxPerPrefix = cmp.Or(g.MaxPerPrefix, defaultGamesPerPrefix)
	g.byID = make(map[uint32]*registration)
	for i := range g.sections {
		g.sections[i] = section{number: i, size: warzone.GameSize}
	}
	g.sections[section21].size = warzone.RecordSize
	g.sections[section20].size = warzone.RecordSize
}

// lock locks g, with no game in it whose time is up.
func (g *Games) lock() (now time.Time) {
	g.once.Do(g.init)
	g.mu.Lock()
	now = time.Now()
	g.table.Expire(now, math.MaxInt, func(i int) { g.hideLocked(*g.table.Value(i)) })
	return now
}

// NewID returns an ID that no game has, for one that is about to be added.
func (g *Games) NewID() uint32 {
	g.lock()
	defer g.mu.Unlock()
	return g.newIDLocked()
}

func (g *Games) newIDLocked() uint32 {
	for {
		var b [4]byte
		rand.Read(b[:]) // does not fail
		id := binary.BigEndian.Uint32(b[:]) & math.MaxInt32
		if id != 0 && id != warzone.Filler+1 && g.byID[id] == nil {
			return id
		}
	}
}

// Add lists a game in place of any at its Key, and returns it as it is listed or
// withheld: Games chooses an ID if it has none. A game that comes by the deployed protocol
// replaces any; others only one of their own Source, otherwise the error is
// ErrTaken. It is ErrFull or ErrAddress, or what [warzone.Game.AppendBinary]
// returns of a game that cannot be written; then nothing has changed. ErrTaken
// is also for an ID that another game has.
func (g *Games) Add(e Entry) (Entry, error) {
	now := g.lock()
	defer g.mu.Unlock()
	e.Key = netip.AddrPortFrom(e.Key.Addr().Unmap().WithZone(""), e.Key.Port())
	e.Opened, e.Seen = now, now
	if e.ID == 0 {
		e.ID = g.newIDLocked()
	}
	reg, err := g.putLocked(e, false)
	if err != nil {
		return Entry{}, err
	}
	g.shareLocked(reg, now)
	return reg.entry, nil
}

// Update changes the game with an ID and returns it. change must not call
// Games; what it does to Key, ID, Source, Opened, Seen and Withheld has no effect.
// The error is ErrGone, or as of Add; then nothing has changed.
func (g *Games) Update(id uint32, change func(e *Entry)) (Entry, error) {
	now := g.lock()
	defer g.mu.Unlock()
	reg := g.byID[id]
	if reg == nil || reg.remote {
		return Entry{}, ErrGone
	}
	e := reg.entry
	change(&e)
	e.Key, e.ID, e.Source, e.Opened, e.Seen = reg.entry.Key, id, reg.entry.Source, reg.entry.Opened, now
	if err := g.replaceLocked(reg, e); err != nil {
		return Entry{}, err
	}
	g.shareLocked(reg, now)
	return reg.entry, nil
}

// Touch tells that the host of a game was heard of, and until when that keeps
// it listed; the zero time is for as long as its connection. It is not ok if the
// game is gone.
func (g *Games) Touch(id uint32, expires time.Time) (ok bool) {
	now := g.lock()
	defer g.mu.Unlock()
	reg := g.byID[id]
	if reg == nil || reg.remote {
		return false
	}
	reg.entry.Seen, reg.entry.Expires = now, expires
	g.setDeadlineLocked(reg)
	if now.Sub(reg.shared) >= shareEvery {
		g.shareLocked(reg, now)
	}
	return true
}

// Remove takes a game from the list. It is not ok if it is gone.
func (g *Games) Remove(id uint32) (ok bool) {
	g.lock()
	defer g.mu.Unlock()
	reg := g.byID[id]
	if reg == nil || reg.remote {
		return false
	}
	g.removeLocked(reg)
	g.unshare(id)
	return true
}

// putLocked lists e in place of what is at its Key.
func (g *Games) putLocked(e Entry, remote bool) (*registration, error) {
	if !joinable(e.Key) {
		return nil, ErrAddress
	}
	if other := g.byID[e.ID]; other != nil && other.entry.Key != e.Key {
		return nil, ErrTaken
	}
	if i, found := g.table.Find(e.Key); found {
		reg := *g.table.Value(i)
		if e.Source != reg.entry.Source && e.Source != SourceLobby && !remote {
			return nil, ErrTaken
		}
		was, own := reg.entry.ID, !reg.remote
		if err := g.replaceLocked(reg, e); err != nil {
			return nil, err
		}
		reg.remote = remote
		if was != e.ID {
			delete(g.byID, was)
			g.byID[e.ID] = reg
			if own {
				g.unshare(was)
			}
		}
		return reg, nil
	}
	i, ok := g.table.Add(e.Key, e.Opened)
	if !ok {
		g.refused++
		return nil, ErrFull
	}
	reg := &registration{remote: remote}
	for i := range reg.places {
		reg.places[i] = nowhere
	}
	reg.entry.Key = e.Key
	*g.table.Value(i) = reg
	if err := g.replaceLocked(reg, e); err != nil {
		g.table.Remove(i)
		return nil, err
	}
	g.byID[e.ID] = reg
	return reg, nil
}

// replaceLocked makes e the entry of reg, with the same Key, and shows it as such.
func (g *Games) replaceLocked(reg *registration, e Entry) error {
	e.Game.Host = e.Key.Addr().String()
	e.Game.GameID = e.ID
	if err := g.scratch.write(&e); err != nil {
		return err
	}
	e.Game = e.Game.Clone()
	e.Withheld = reg.entry.Withheld
	reg.entry = e
	g.setDeadlineLocked(reg)
	g.judgeLocked(reg)
	g.presentLocked(reg)
	return nil
}

// presentLocked shows reg as it is now, of which scratch has the records.
func (g *Games) presentLocked(reg *registration) {
	for i := range g.sections {
		record := g.scratch.of(i)
		if reg.entry.Withheld {
			record = nil
		}
		g.showLocked(reg, i, record)
	}
	for _, v := range g.viewers {
		v.put(&reg.entry)
	}
	g.changes++
}

// showLocked sees to it that a section shows record, or nothing, of reg.
func (g *Games) showLocked(reg *registration, section int, record []byte) {
	r, place := &g.sections[section], reg.places[section]
	switch {
	case place != nowhere && len(record) == 0:
		r.remove(place)
	case place != nowhere && bytes.Equal(r.at(place), record):
		return
	case place != nowhere:
		r.set(place, record)
	case len(record) > 0:
		r.add(record, reg)
	default:
		return
	}
	g.lists[listOf(section)] = list{}
}

func (g *Games) setDeadlineLocked(reg *registration) {
	i, _ := g.table.Find(reg.entry.Key)
	deadline := reg.entry.Expires
	if deadline.IsZero() {
		deadline = reg.entry.Seen.Add(never)
	}
	g.table.SetDeadline(i, deadline)
}

// removeLocked takes reg from the list.
func (g *Games) removeLocked(reg *registration) {
	i, _ := g.table.Find(reg.entry.Key)
	g.hideLocked(reg)
	g.table.Remove(i)
}

// hideLocked takes reg from all but the table.
func (g *Games) hideLocked(reg *registration) {
	for i := range g.sections {
		g.showLocked(reg, i, nil)
	}
	for _, v := range g.viewers {
		v.remove(reg.entry.Key)
	}
	delete(g.byID, reg.entry.ID)
	if reg.entry.Withheld {
		g.withheld--
	}
	g.changes++
}
