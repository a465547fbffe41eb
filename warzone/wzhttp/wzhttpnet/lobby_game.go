package wzhttpnet

import (
	"context"
	"log/slog"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// handover is the time within which a node receives a game that another node has created.
const handover = 15 * time.Second

// authorized returns the game of a request whose token proves that it comes from the
// host. If another node may be about to share the game, the error is one after which
// the host retries.
func (l *Lobby) authorized(r *lobbyRequest) (*hosted, error) {
	if r.id == 0 {
		return nil, errGameNotFound
	}
	token, _ := wzhttp.HostToken(r.Header.Get("Authorization"))
	session, made, ok := l.tokens.isHost(token, r.id)
	if !ok {
		return nil, errToken
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hostings.expire(time.Now())
	announced, found := l.games.TakeAnnounced(r.id, session)
	if found && !l.takeOverLocked(announced) {
		l.games.KeepAnnounced(announced)
		return nil, errManyGames
	}
	h := l.hostings.byID[r.id]
	isKnown := h != nil && h.HTTP.Session == session
	e, found := l.games.FindID(r.id)
	isListed := found && e.HTTP.Session == session
	switch {
	case isKnown && isListed:
		h.published = true // perhaps by another node
		return h, nil
	case isListed:
		h = &hosted{Entry: e, published: true}
		for _, a := range e.Addresses() {
			h.conns = append(h.conns, newConn(kindOf(a), a, wzhttp.ValidationValidated))
		}
		return h, nil
	case isKnown && !h.published:
		return h, nil
	case !isKnown && l.games.Store != nil && (time.Since(made) < handover || time.Since(l.started) < handover):
		return nil, errNotHere
	}
	return nil, errGameNotFound
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

// noteRefusal counts, reports and logs a game that is not listed.
func (l *Lobby) noteRefusal(at netip.AddrPort, err error) {
	l.counts.Add(&l.counts.Stats.Refused)
	l.refusals.Report(refusal.Of(at, err))
	if l.Logger != nil && l.log.Allow(at.Addr(), time.Now()) {
		l.Logger.LogAttrs(context.Background(), slog.LevelInfo, "game refused", slog.Any("at", at),
			slog.Any("error", err))
	}
}
