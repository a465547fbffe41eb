package warzonegames

import (
	"maps"
	"time"
)

// maxAnnounced limits the games of other nodes that a Games keeps until their hosts send
// this node a request.
const maxAnnounced = 4096

// Announce shares a game that is not published yet with the other nodes, through the Store.
// It does nothing if the game is published. See [HTTPDetails.Announced].
func (g *Games) Announce(e Entry) {
	defer g.locked()()
	if g.Store != nil && g.byID[e.ID] == nil {
		g.Store.Put(e)
	}
}

// Unannounce undoes Announce, unless the game is published.
func (g *Games) Unannounce(id uint32) {
	defer g.locked()()
	if g.Store != nil && g.byID[id] == nil {
		g.Store.Remove(id)
	}
}

// KeepAnnounced keeps a game that is not published yet until TakeAnnounced is called, as
// if another node had announced it.
func (g *Games) KeepAnnounced(e Entry) {
	now := g.lock()
	defer g.mu.Unlock()
	g.keepAnnouncedLocked(e, now)
}

// keepAnnouncedLocked keeps a game that is not published until its host sends this node
// a request.
func (g *Games) keepAnnouncedLocked(e Entry, now time.Time) {
	if e.ID == 0 || g.byID[e.ID] != nil || !e.Expires.After(now) {
		return
	}
	if len(g.announced) >= maxAnnounced {
		maps.DeleteFunc(g.announced, func(_ uint32, other Entry) bool { return !other.Expires.After(now) })
	}
	if len(g.announced) < maxAnnounced {
		g.announced[e.ID] = e
	}
}

// TakeAnnounced removes and returns a game that another node has announced, or that was
// passed to KeepAnnounced.
func (g *Games) TakeAnnounced(id uint32, session uint64) (e Entry, ok bool) {
	now := g.lock()
	defer g.mu.Unlock()
	if e, ok = g.announced[id]; !ok || e.HTTP.Session != session {
		return Entry{}, false
	}
	delete(g.announced, id)
	return e, e.Expires.After(now)
}
