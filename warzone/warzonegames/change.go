package warzonegames

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
)

func (g lobbies) Announce(e Entry) (Entry, error) {
	s := g.lock()
	defer s.unlock()
	e.Key, e.Seen = netip.AddrPortFrom(plain(e.Key).Addr(), 0), s.now
	if e.ID == 0 {
		e.ID = s.newID()
	}
	switch {
	case s.find(e.ID) != nil:
		return Entry{}, ErrTaken
	case isFull(&s.announced, e.Key.Addr()):
		return Entry{}, gamelist.ErrUnpublished
	}
	reg := s.put(&e, false)
	s.share(reg)
	return reg.entry, nil
}

// Add publishes a game and returns it as listed or withheld. It chooses an ID if the game
// has none. A game of SourceLobby or SourceHTTP replaces any game at its Key; other games
// replace only games of their own Source. If Opened is set, the game does not replace games
// that were opened later.
//
// The error is ErrFull, ErrAddress, ErrTaken if the Key or the ID belongs to another game,
// or an error of [warzone.Game.AppendBinary]. On error, nothing has changed.
func (g *Games) Add(e Entry) (Entry, error) {
	s := g.lock()
	defer s.unlock()
	e.Key = plain(e.Key)
	if e.ID == 0 {
		e.ID = s.newID()
	}
	if e.Opened.IsZero() {
		e.Opened = s.now
	}
	reg, err := s.open(&e)
	if err != nil {
		return Entry{}, err
	}
	return reg.entry, nil
}

func (g lobbies) NewID() uint32 {
	s := g.lock()
	defer s.unlock()
	return s.newID()
}

// plain returns an address in the form of a Key.
func plain(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap().WithZone(""), a.Port())
}

// Update changes the game with an ID, records that its host is alive, and returns it. The
// function change must not call the Games nor keep e; its changes to ID, Source, Opened,
// Seen, Unreachable and Withheld have no effect. A change of the Key publishes an
// unpublished game, as Add does, and otherwise has no effect. The error is ErrGone or an
// error of Add. On error, nothing has changed.
func (g *Games) Update(id uint32, change func(e *Entry)) (Entry, error) {
	s := g.lock()
	defer s.unlock()
	reg := s.find(id)
	if reg == nil || reg.remote {
		return Entry{}, ErrGone
	}
	reg, err := s.update(reg, change)
	if err != nil {
		return Entry{}, err
	}
	return reg.entry, nil
}

func (g lobbies) Adopt(id uint32, change func(e *Entry)) (Entry, error) {
	s := g.lock()
	defer s.unlock()
	reg := s.find(id)
	if reg == nil {
		return Entry{}, ErrGone
	}
	if err := s.adopt(reg); err != nil {
		return Entry{}, err
	}
	reg, err := s.update(reg, change)
	if err != nil {
		return Entry{}, err
	}
	return reg.entry, nil
}

func (g lobbies) Touch(id uint32, expires time.Time) (ok bool) {
	s := g.lock()
	defer s.unlock()
	reg := s.find(id)
	if reg == nil || reg.remote {
		return false
	}
	s.touch(reg, expires)
	return true
}

// Remove removes a game and reports whether it existed. It also removes a game of another
// node if its host may send each request to any node, as all hosts may except those of a
// warzonenet.Lobby.
func (g *Games) Remove(id uint32) (ok bool) {
	s := g.lock()
	defer s.unlock()
	reg := s.find(id)
	if reg == nil || reg.remote && reg.entry.Source == SourceLobby {
		return false
	}
	s.remove(reg)
	s.unshare(reg)
	return true
}

// Review calls Admit again for the games with the IDs or, without IDs, for every game, after the
// rules of Admit have changed.
func (g *Games) Review(ids ...uint32) {
	s := &g.state
	review := func(i int) {
		if reg := *s.table.Value(i); reg.entry.Published() {
			s.review(reg)
		}
	}
	if len(ids) == 0 {
		s.table.Each(g.locked, review)
		return
	}
	s.table.EachOf(ids, g.locked, review)
}
