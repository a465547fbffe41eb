package wzhttpnet

import (
	"time"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// announced returns an unpublished game in the form in which nodes share it.
func (l *Lobby) announced(h *hosted) warzonegames.Entry {
	e := h.Entry
	e.Seen, e.Expires, e.HTTP.Announced = time.Now(), l.expires(), nil
	for _, c := range h.conns {
		e.HTTP.Announced = append(e.HTTP.Announced, c.AnnouncedAddress)
	}
	return e
}

// shareLocked shares the state of an unpublished game with the other nodes.
func (l *Lobby) shareLocked(h *hosted) {
	if l.games.Store != nil && !h.published && l.byID[h.ID] == h {
		h.shared = time.Now()
		l.games.Announce(l.announced(h))
	}
}

// takeOverLocked adds the state of an unpublished game that another node, or this node
// before a restart, has shared. It returns false if there is no room for the game.
func (l *Lobby) takeOverLocked(e warzonegames.Entry) (ok bool) {
	var conns []*hostConn
	until := time.Now().Add(l.lookTime()) // then the checks of the other node have ended
	for _, a := range e.HTTP.Announced {
		if a.At.IsValid() { // unless the Store is faulty
			conns = append(conns, &hostConn{a, until})
		}
	}
	h := l.byID[e.ID]
	if h == nil {
		// The other node has just shared it. To do so again could replace what that
		// node shares next, and nobody would receive that.
		return l.keepLocked(&hosted{Entry: e, conns: conns, shared: time.Now()})
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

// handOver leaves unpublished games in Games, for the next Lobby with the same
// Games.
func (l *Lobby) handOver() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expireLocked(time.Now())
	for _, h := range l.byID {
		if !h.published {
			l.games.KeepAnnounced(l.announced(h))
		}
	}
}
