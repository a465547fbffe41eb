package warzonegames

import (
	"cmp"
	"math"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
)

// announcedLife is the lifetime of an unpublished game after the last request of its host,
// which sends one at least every 5 s.
const announcedLife = 20 * time.Second

// never is the lifetime of a game without a deadline.
const never = 100 * 365 * 24 * time.Hour

// expire removes the games that have expired.
func (s *state) expire(now time.Time) {
	s.now = now
	s.table.Expire(now, math.MaxInt, func(i int) {
		reg := *s.table.Value(i)
		s.hide(reg)
		if s.games.Store != nil && reg.entry.Published() {
			s.games.Store.Expire(reg.entry.ID)
		}
	})
}

// update changes the entry of a game of this node. On error, nothing has changed.
func (s *state) update(reg *registration, change func(e *Entry)) (*registration, error) {
	was, e := &reg.entry, &s.draft
	*e = *was
	change(e)
	e.ID, e.Source, e.Opened, e.Seen, e.Unreachable = was.ID, was.Source, was.Opened, s.now, was.Unreachable
	e.Game.Host, e.Game.GameID = was.Game.Host, was.Game.GameID
	if was.Published() {
		e.Key = was.Key
	}
	switch {
	case e.isSame(was):
		s.touch(reg, e.Expires)
		return reg, nil
	case !was.Published() && e.Published():
		e.Opened = s.now
		return s.open(e)
	case was.Published():
		if err := s.encode(e); err != nil {
			return nil, err
		}
	}
	s.set(reg, e)
	s.share(reg)
	return reg, nil
}

// open publishes a game of this node, or opens it again.
func (s *state) open(e *Entry) (*registration, error) {
	e.Seen = s.now
	verified := e.Verified // just now
	reg, err := s.publish(e, false)
	if err != nil {
		return nil, err
	}
	if verified {
		s.checks.proven.Add(reg.entry.Key.Addr(), s.now)
	}
	if verified || reg.check.next.IsZero() {
		reg.check = check{running: reg.check.running}
		reg.check.delay(s.now, verified)
	}
	s.share(reg)
	return reg, nil
}

// publish lists e in place of the game at its Key. The game with its ID is the same one.
func (s *state) publish(e *Entry, remote bool) (*registration, error) {
	same, was := s.find(e.ID), s.byKey[e.Key]
	switch {
	case !joinable(e.Key):
		return nil, ErrAddress
	case same != nil && same != was && same.entry.Published():
		return nil, ErrTaken
	case was == nil && isFull(&s.published, e.Key.Addr()):
		s.refused++
		return nil, fullError(s.published.Exceeded(e.Key.Addr()))
	case was != nil && !remote && !was.yieldsTo(e):
		return nil, ErrTaken
	}
	if !remote {
		// A game that is opened again keeps the results of its checks, unless the lobby
		// has just connected to it.
		again := was != nil && e.Source == was.entry.Source && !e.Verified
		e.Verified = e.Verified || again && was.entry.Verified
		e.Unreachable = again && was.entry.Unreachable
	}
	if err := s.encode(e); err != nil {
		return nil, err
	}
	return s.put(e, remote), nil
}

// adopt makes a game belong to this node. It fails only if the game is not published.
func (s *state) adopt(reg *registration) error {
	if !reg.remote {
		return nil
	}
	if !reg.entry.Published() && isFull(&s.announced, reg.entry.Key.Addr()) {
		return gamelist.ErrUnpublished
	}
	s.uncount(reg)
	reg.remote = false
	s.count(reg)
	if !reg.entry.Published() {
		// The Store may receive the next change at once, but not the unchanged game, which
		// could replace a change that the other node shares meanwhile.
		reg.shared = s.now.Add(-putEvery)
		return nil
	}
	reg.shared = time.Time{}
	reg.check = check{}
	reg.check.delay(s.now, !reg.entry.Unreachable)
	return nil
}

// touch records that the host of a game is alive.
func (s *state) touch(reg *registration, expires time.Time) {
	reg.entry.Seen, reg.entry.Expires = s.now, expires
	s.setDeadline(reg)
	if s.now.Sub(reg.shared) >= shareEvery {
		s.share(reg)
	}
}

// put makes e the entry of the game at its Key, or else of the game with its ID, or else of
// a new game.
func (s *state) put(e *Entry, remote bool) *registration {
	same := s.find(e.ID)
	reg := cmp.Or(s.byKey[e.Key], same)
	switch {
	case reg == nil:
		reg = new(registration)
		s.add(reg, e.ID)
	case reg == same:
		s.uncount(reg)
	default: // e takes the place of another game in the lists
		if !reg.remote {
			s.unshare(reg)
		}
		reg.stored = false
		if same != nil { // which was announced
			reg.shared, reg.stored = same.shared, same.stored
			s.remove(same)
		}
		s.uncount(reg)
		s.table.Remove(reg.number)
		s.add(reg, e.ID)
	}
	reg.remote, reg.stored = remote, reg.stored || remote
	s.set(reg, e)
	s.count(reg)
	return reg
}

// add adds a game to the table.
func (s *state) add(reg *registration, id uint32) {
	reg.number, _ = s.table.Add(id, s.now) // cannot fail: the table is unlimited and the ID is new
	*s.table.Value(reg.number) = reg
}

// remove removes a game from this node.
func (s *state) remove(reg *registration) {
	s.hide(reg)
	s.table.Remove(reg.number)
}

// hide removes a game from all but the table.
func (s *state) hide(reg *registration) {
	s.uncount(reg)
	if !reg.entry.Published() {
		return
	}
	for _, v := range s.viewers {
		v.Remove(&reg.entry)
	}
	s.setSecond(reg, netip.AddrPort{})
	if reg.entry.Withheld {
		s.withheld--
	}
}

// set makes e the entry of a game. It changes e.
func (s *state) set(reg *registration, e *Entry) {
	e.unshare()
	e.Withheld = reg.entry.Withheld
	if e.Published() {
		s.setSecond(reg, e.Second)
	}
	reg.entry = *e
	s.setDeadline(reg)
	if e.Published() {
		s.admit(reg)
		s.present(reg)
	}
}

func (s *state) setDeadline(reg *registration) {
	deadline := reg.entry.Expires
	switch {
	case !reg.entry.Published() && !reg.remote:
		deadline = reg.entry.Seen.Add(announcedLife)
	case deadline.IsZero():
		deadline = reg.entry.Seen.Add(never)
	}
	s.table.SetDeadline(reg.number, deadline)
}

// setSecond sets the second address of a published game. It removes a game that was
// opened there through another protocol.
func (s *state) setSecond(reg *registration, second netip.AddrPort) {
	if was := reg.entry.Second; s.bySecond[was] == reg {
		delete(s.bySecond, was)
	}
	if !second.IsValid() {
		return
	}
	s.bySecond[second] = reg
	if other := s.byKey[second]; other != nil && other != reg && other.entry.Source != SourceHTTP {
		s.remove(other)
		if !other.remote {
			s.unshare(other)
		}
	}
}
