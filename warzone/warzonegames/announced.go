package warzonegames

import (
	"maps"
	"time"
)

// maxAnnounced limits the games that a Games keeps before they are published: those of
// other nodes until their hosts send this node a request, and its own while the Store must
// not receive their next change yet.
const maxAnnounced = 4096

// Announce shares a game that is not published yet with the other nodes, through the Store,
// at the same rates as other games. It does nothing if the game is published. See
// [HTTPDetails.Announced].
func (g *Games) Announce(e Entry) {
	now := g.lock()
	defer g.mu.Unlock()
	if g.Store == nil || g.byID[e.ID] != nil {
		return
	}
	reg := g.announcedLocked(e.ID, now)
	if reg != nil {
		reg.entry, reg.remote = e, false
		g.shareLocked(reg, now)
	}
}

// Unannounce undoes Announce, unless the game is published.
func (g *Games) Unannounce(id uint32) {
	defer g.locked()()
	delete(g.announced, id)
	if g.Store != nil && g.byID[id] == nil {
		g.Store.Remove(id)
	}
}

// KeepAnnounced keeps a game that is not published yet until TakeAnnounced is called, as
// if another node had announced it. A change that waits for the Store is sent at once.
func (g *Games) KeepAnnounced(e Entry) {
	now := g.lock()
	defer g.mu.Unlock()
	reg := g.announced[e.ID]
	if reg != nil && !reg.remote && g.outbox.Waits(reg) {
		g.putInLocked(reg, now)
	}
	g.keepAnnouncedLocked(e, now)
}

// keepAnnouncedLocked keeps a game that is not published until its host sends this node
// a request.
func (g *Games) keepAnnouncedLocked(e Entry, now time.Time) {
	if e.ID == 0 || g.byID[e.ID] != nil || !e.Expires.After(now) {
		return
	}
	reg := g.announcedLocked(e.ID, now)
	if reg != nil {
		reg.entry, reg.remote = e, true
	}
}

// announcedLocked returns the game with an ID that is not published, or a new one, or nil
// if there is no room for it.
func (g *Games) announcedLocked(id uint32, now time.Time) *registration {
	reg := g.announced[id]
	if reg != nil {
		return reg
	}
	if len(g.announced) >= maxAnnounced {
		maps.DeleteFunc(g.announced, func(_ uint32, reg *registration) bool {
			isShared := !reg.remote && !g.outbox.Waits(reg) && now.Sub(reg.shared) >= putEvery
			return isShared || !reg.entry.Expires.After(now)
		})
	}
	if len(g.announced) >= maxAnnounced {
		return nil
	}
	reg = new(registration)
	g.announced[id] = reg
	return reg
}

// TakeAnnounced removes and returns a game that another node has announced, or that was
// passed to KeepAnnounced.
func (g *Games) TakeAnnounced(id uint32, session uint64) (e Entry, ok bool) {
	now := g.lock()
	defer g.mu.Unlock()
	reg := g.announced[id]
	if reg == nil || !reg.remote || reg.entry.HTTP.Session != session {
		return Entry{}, false
	}
	delete(g.announced, id)
	return reg.entry, reg.entry.Expires.After(now)
}
