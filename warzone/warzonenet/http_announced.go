package warzonenet

import (
	"encoding/json"
	"maps"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// maxAnnounced limits the games of other nodes that a Games keeps until their hosts send
// this node a request.
const maxAnnounced = 4096

// announce shares an unpublished game with the other nodes.
func (g *Games) announce(e Entry) {
	g.lock()
	defer g.mu.Unlock()
	if g.Store != nil && g.byID[e.ID] == nil {
		g.Store.Put(e)
	}
}

// unannounce removes an unpublished game from the other nodes.
func (g *Games) unannounce(id uint32) {
	g.lock()
	defer g.mu.Unlock()
	if g.Store != nil && g.byID[id] == nil {
		g.Store.Remove(id)
	}
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

// takeAnnounced removes and returns a game that another node has announced, or that an
// HTTPLobby with the same Games had when it was closed.
func (g *Games) takeAnnounced(id uint32, session uint64) (e Entry, ok bool) {
	now := g.lock()
	defer g.mu.Unlock()
	if e, ok = g.announced[id]; !ok || e.HTTP.Session != session {
		return Entry{}, false
	}
	delete(g.announced, id)
	return e, e.Expires.After(now)
}

// entry returns the game in the form in which nodes share it. Its Key is the address of
// the host, without a port.
func (h *httpHosting) entry(expires time.Time) Entry {
	b, _ := json.Marshal(h.conns) // cannot fail
	e := Entry{Key: netip.AddrPortFrom(h.from, 0), ID: h.id, Seen: time.Now(), Expires: expires}
	e.setRoom(h.room) // cannot fail: listable has succeeded
	e.HTTP.Session, e.HTTP.Announced = h.session, string(b)
	return e
}

// announcedConns returns the addresses of an unpublished game. The checks of another
// node have ended at the time until.
func (e *Entry) announcedConns(until time.Time) (conns []*hostConn) {
	json.Unmarshal([]byte(e.HTTP.Announced), &conns) // cannot fail: written by httpHosting.entry
	for _, c := range conns {
		c.until = until
	}
	return conns
}

// shareLocked shares the state of an unpublished game with the other nodes.
func (l *HTTPLobby) shareLocked(h *httpHosting) {
	if l.games.Store != nil && !h.published && l.byID[h.id] == h {
		h.shared = time.Now()
		l.games.announce(h.entry(l.expires()))
	}
}

// takeOverLocked adds the state of an unpublished game that another node, or this node
// before a restart, has shared. It returns false if there is no room for the game.
func (l *HTTPLobby) takeOverLocked(e *Entry) (ok bool) {
	h, conns := l.byID[e.ID], e.announcedConns(time.Now().Add(l.lookTime()))
	if h == nil {
		// The other node has just shared it. To do so again could replace what that
		// node shares next, and nobody would receive that.
		h = &httpHosting{id: e.ID, session: e.HTTP.Session, from: e.Key.Addr(), room: e.room(), conns: conns, shared: time.Now()}
		return l.keepLocked(h)
	}
	for _, theirs := range conns {
		switch i := h.indexOf(theirs.Kind); {
		case i < 0:
			h.conns = append(h.conns, theirs)
		case h.conns[i].Status != wzhttp.ValidationValidated:
			*h.conns[i] = *theirs
		}
	}
	return true
}

// handOver leaves unpublished games in Games, for the next HTTPLobby with the same
// Games.
func (l *HTTPLobby) handOver() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expireLocked(time.Now())
	for _, h := range l.byID {
		if !h.published {
			l.games.put(h.entry(l.expires()))
		}
	}
}

// lookAgainLocked starts the checks that another node, or this node before a restart, has
// started and not finished.
func (l *HTTPLobby) lookAgainLocked(h *httpHosting) {
	for _, c := range h.conns {
		if c.Status == wzhttp.ValidationSubmitted && time.Now().After(c.until) {
			l.lookLocked(h, c) // or with the next request
		}
	}
}
