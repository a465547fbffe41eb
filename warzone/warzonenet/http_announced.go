package warzonenet

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// maxAnnounced limits the games of other nodes that a Games keeps until their hosts send
// this node a request.
const maxAnnounced = 4096

// shareUnpublished calls share with the Store, unless the game with an ID is published.
func (g *Games) shareUnpublished(id uint32, share func(s Store)) {
	defer g.locked()()
	if g.Store != nil && g.byID[id] == nil {
		share(g.Store)
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

// announced returns an unpublished game in the form in which nodes share it.
func (l *HTTPLobby) announced(h *httpHosting) Entry {
	e := h.Entry
	b, _ := json.Marshal(h.conns) // cannot fail
	e.Seen, e.Expires, e.HTTP.Announced = time.Now(), l.expires(), string(b)
	return e
}

// shareLocked shares the state of an unpublished game with the other nodes.
func (l *HTTPLobby) shareLocked(h *httpHosting) {
	if l.games.Store != nil && !h.published && l.byID[h.ID] == h {
		h.shared = time.Now()
		l.games.shareUnpublished(h.ID, func(s Store) { s.Put(l.announced(h)) })
	}
}

// takeOverLocked adds the state of an unpublished game that another node, or this node
// before a restart, has shared. It returns false if there is no room for the game.
func (l *HTTPLobby) takeOverLocked(e Entry) (ok bool) {
	var conns []*hostConn
	_ = json.Unmarshal([]byte(e.HTTP.Announced), &conns) // announced wrote it, unless the Store is faulty
	conns = slices.DeleteFunc(conns, func(c *hostConn) bool { return c == nil || !c.At.IsValid() })
	for _, c := range conns {
		c.until = time.Now().Add(l.lookTime()) // then the checks of the other node have ended
	}
	h := l.byID[e.ID]
	if h == nil {
		// The other node has just shared it. To do so again could replace what that
		// node shares next, and nobody would receive that.
		return l.keepLocked(&httpHosting{Entry: e, conns: conns, shared: time.Now()})
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
			l.games.put(l.announced(h))
		}
	}
}
