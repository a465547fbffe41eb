package warzonegames

import (
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
)

// A Store shares the list of a [Games] with other nodes. The clocks of the nodes must
// agree within a few seconds.
//
// Put and Remove are called in the order of the changes. Put is called for a game that was
// added or changed, at most once a second for each game and 1000 times a second in total,
// and again every 30 seconds. So a node that has failed loses its games within 90 seconds,
// or, for proposals, at the end of their lifetime. Remove is also called for a game that
// another one has replaced, if that is of another node before put of Watch returns.
//
// Put also receives games that a wzhttpnet.Lobby has not published yet, about three times
// each, and put of Watch accepts them. Their Key has no port.
//
// Watch is called when the first server starts to serve the Games, and stop when the
// last one ends. The key of an entry is its ID.
type Store = lobbywire.Store[Entry, uint32]

// Times of sharing.
const (
	shareEvery = 30 * time.Second // between repetitions of an unchanged game
	putEvery   = time.Second      // minimum between changes of a game
	lease      = 90 * time.Second // lifetime of a game without a deadline
)

// putsPerSecond is the maximum number of games that the Store receives in a second.
const putsPerSecond = 1000

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

// shareLocked sends a game of this node to the Store, now or later.
func (g *Games) shareLocked(reg *registration, now time.Time) {
	if g.Store == nil {
		return
	}
	if g.outbox.Offer(reg, reg.shared, now) {
		g.putInLocked(reg, now)
	}
	g.outbox.Later(g.shareWaiting)
}

// shareWaiting sends the waiting games to the Store.
func (g *Games) shareWaiting() {
	now := g.lock()
	defer g.mu.Unlock()
	due := g.outbox.Due(now, func(reg *registration) (time.Time, bool) { return reg.shared, g.isSharedLocked(reg) })
	for _, reg := range due {
		g.putInLocked(reg, now)
	}
	g.outbox.Later(g.shareWaiting)
}

// Flush sends all changes to the Store that wait because it receives each game at most once
// a second, for example before the program ends.
func (g *Games) Flush() {
	now := g.lock()
	defer g.mu.Unlock()
	for _, reg := range g.outbox.Drain() {
		if g.isSharedLocked(reg) {
			g.putInLocked(reg, now)
		}
	}
}

// isSharedLocked reports whether a game is one of this node, and has not been removed.
func (g *Games) isSharedLocked(reg *registration) bool {
	id := reg.entry.ID
	return !reg.remote && (g.byID[id] == reg || g.announced[id] == reg)
}

// putInLocked sends a game of this node to the Store.
func (g *Games) putInLocked(reg *registration, now time.Time) {
	e := reg.entry
	if e.Expires.IsZero() {
		e.Expires = now.Add(lease)
	}
	reg.shared, reg.stored = now, true
	g.Store.Put(e)
}

// unshareLocked removes a game of this node from the Store, where its ID is id.
func (g *Games) unshareLocked(reg *registration, id uint32) {
	if reg.stored {
		reg.stored = false
		g.Store.Remove(id)
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
