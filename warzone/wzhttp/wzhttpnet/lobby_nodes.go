package wzhttpnet

import (
	"time"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

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
	h, now := l.hostings.byID[e.ID], time.Now()
	if h == nil {
		// The other node has just shared it. To do so again could replace what that
		// node shares next, and nobody would receive that.
		return l.hostings.keep(&hosted{Entry: e, conns: conns, shared: now}, now)
	}
	for _, theirs := range conns {
		i := h.indexOf(theirs.Kind)
		switch {
		case i < 0:
			h.conns = append(h.conns, theirs)
		case h.conns[i].Status != wzhttp.ValidationValidated:
			*h.conns[i] = *theirs
		}
	}
	return true
}

// shareLocked shares the state of an unpublished game with the other nodes.
func (l *Lobby) shareLocked(h *hosted) {
	if l.games.Store != nil && !h.published && l.hostings.has(h) {
		h.shared = time.Now()
		l.games.Announce(h.unpublished(l.expires()))
	}
}

// unpublished returns a game that is not published in the form in which nodes share it.
func (h *hosted) unpublished(expires time.Time) warzonegames.Entry {
	e := h.Entry
	e.Seen, e.Expires, e.HTTP.Announced = time.Now(), expires, nil
	for _, c := range h.conns {
		e.HTTP.Announced = append(e.HTTP.Announced, c.AnnouncedAddress)
	}
	return e
}
