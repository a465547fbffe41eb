package warzonegames

import (
	"net/netip"
	"sync"
	"time"
)

// Share exchanges games with the Store until stop is called. Lobbies call it while they
// serve, so only a program without a lobby needs it. Several calls count as one until all
// of them are stopped.
func (g *Games) Share() (stop func()) {
	g.join()
	return sync.OnceFunc(g.leave)
}

func (g *Games) join() {
	g.lock()
	g.serving++
	first := g.serving == 1 && g.Store != nil
	if first {
		g.refresh = time.AfterFunc(shareEvery, g.shareAll)
	}
	g.mu.Unlock()
	if !first {
		return
	}
	stop := g.Store.Watch(g.put, g.remove)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.unwatch = stop
}

func (g *Games) leave() {
	g.mu.Lock()
	g.serving--
	stop := func() {}
	if g.serving == 0 && g.unwatch != nil {
		stop, g.unwatch = g.unwatch, nil
		g.refresh.Stop()
	}
	g.mu.Unlock()
	stop()
}

// shareAll repeats all games with open connections to the Store.
func (g *Games) shareAll() {
	now := g.lock()
	defer g.mu.Unlock()
	for _, reg := range g.byID {
		if !reg.remote && reg.entry.Expires.IsZero() && now.Sub(reg.shared) >= shareEvery/2 {
			g.shareLocked(reg, now)
		}
	}
	if g.serving > 0 {
		g.refresh.Reset(shareEvery)
	}
}

// put lists a game of another node. It ignores a game that cannot be listed, and an
// old entry of a game whose host has moved to another node since.
func (g *Games) put(e Entry) {
	now := g.lock()
	defer g.mu.Unlock()
	e.Key = netip.AddrPortFrom(e.Key.Addr().Unmap().WithZone(""), e.Key.Port())
	if !e.isPublished() {
		g.keepAnnouncedLocked(e, now)
		return
	}
	delete(g.announced, e.ID)
	if e.ID == 0 || !e.Expires.After(now) {
		return
	}
	if reg := g.byID[e.ID]; reg != nil && reg.entry.HTTP.Session == e.HTTP.Session {
		// A host may check its players at several nodes.
		reg.entry.HTTP.Joins = mergeJoins(reg.entry.HTTP.Joins, e.HTTP.Joins, now)
		e.HTTP.Joins = reg.entry.HTTP.Joins
	}
	if reg := g.atLocked(e.Key); reg != nil && !reg.isBefore(e) {
		return
	}
	g.putLocked(e, true)
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

// remove removes a game that another node has removed. That may be a game of this
// node, because most hosts may send their requests to any node.
func (g *Games) remove(id uint32) {
	defer g.locked()()
	delete(g.announced, id)
	if reg := g.byID[id]; reg != nil && (reg.remote || reg.entry.Source != SourceLobby) {
		g.removeLocked(reg)
	}
}
