package warzonegames

import (
	"slices"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
)

func (g lobbies) Share() (stop func()) {
	g.join()
	return sync.OnceFunc(g.leave)
}

// A sharing is the exchange of games with the Store.
type sharing struct {
	lobbies int    // that serve
	unwatch func() // stops watching the Store
	refresh *time.Timer
}

func (g *Games) join() {
	s := g.lock()
	s.sharing.lobbies++
	first := s.sharing.lobbies == 1 && g.Store != nil
	if first {
		s.sharing.refresh = time.AfterFunc(shareEvery, g.shareAll)
	}
	s.unlock()
	if !first {
		return
	}
	stop := g.Store.Watch(g.put, g.remove)
	defer g.locked()()
	s.sharing.unwatch = stop
}

func (g *Games) leave() {
	s := g.lock()
	s.sharing.lobbies--
	stop := func() {}
	if s.sharing.lobbies == 0 && s.sharing.unwatch != nil {
		stop, s.sharing.unwatch = s.sharing.unwatch, nil
		s.sharing.refresh.Stop()
	}
	s.unlock()
	stop()
}

// shareAll repeats all games with open connections to the Store.
func (g *Games) shareAll() {
	s := g.lock()
	defer s.unlock()
	for _, reg := range s.byKey {
		if !reg.remote && reg.entry.Expires.IsZero() && s.now.Sub(reg.shared) >= shareEvery/2 {
			s.share(reg)
		}
	}
	if s.sharing.lobbies > 0 {
		s.sharing.refresh.Reset(shareEvery)
	}
}

// put adds or changes a game of another node. It ignores a game that cannot be listed,
// and an old entry of a game whose host has moved to another node since.
func (g *Games) put(e Entry) {
	s := g.lock()
	defer s.unlock()
	e.Key = plain(e.Key)
	if e.ID == 0 || !e.Expires.After(s.now) {
		return
	}
	same := s.find(e.ID)
	if !e.Published() {
		s.putAnnounced(same, &e)
		return
	}
	e.HTTP.Announced = nil
	if same != nil && same.entry.HTTP.Session == e.HTTP.Session {
		// A host may check its players, and announce addresses, at several nodes.
		same.entry.HTTP.Joins = gamelist.MergeJoins(same.entry.HTTP.Joins, e.HTTP.Joins, s.now)
		e.HTTP.Joins, e.HTTP.Announced = same.entry.HTTP.Joins, same.entry.HTTP.Announced
	}
	if was := s.byKey[e.Key]; was == nil || was.isBefore(e) {
		s.publish(&e, true)
	}
}

// isBefore reports whether an entry of another node replaces reg: because that node's game
// has changed, its host has moved there, or it is another game that was opened later.
func (reg *registration) isBefore(e Entry) bool {
	switch {
	case reg.entry.ID != e.ID:
		return e.Opened.After(reg.entry.Opened)
	case reg.remote:
		return true
	}
	return e.Seen.After(reg.entry.Seen) || e.Opened.After(reg.entry.Opened)
}

// putAnnounced adds or changes an unpublished game of another node. Its host may have
// announced addresses at several nodes.
func (s *state) putAnnounced(same *registration, e *Entry) {
	e.HTTP.Announced = slices.DeleteFunc(slices.Clone(e.HTTP.Announced),
		func(a gamelist.AnnouncedAddress) bool { return !a.At.IsValid() }) // as faulty Stores have
	switch {
	case same == nil && s.elsewhere >= maxElsewhere, same != nil && same.entry.Published():
		return
	case same != nil && !same.remote:
		if same.entry.HTTP.Session != e.HTTP.Session {
			return
		}
		e.HTTP.Announced = gamelist.MergeAnnounced(same.entry.HTTP.Announced, e.HTTP.Announced)
		if !e.Seen.After(same.entry.Seen) {
			same.entry.HTTP.Announced = e.HTTP.Announced
			return
		}
	}
	s.put(e, true)
}

// remove removes a game that another node has removed. That may be a game of this
// node, because most hosts may send their requests to any node.
func (g *Games) remove(id uint32) {
	s := g.lock()
	defer s.unlock()
	reg := s.find(id)
	if reg != nil && (reg.remote || reg.entry.Source != SourceLobby) {
		s.remove(reg)
	}
}
