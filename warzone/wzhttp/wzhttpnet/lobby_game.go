package wzhttpnet

import (
	"time"

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
	if found && !l.hostings.takeOver(announced, time.Now().Add(l.lookTime())) {
		l.games.KeepAnnounced(announced)
		return nil, errManyGames
	}
	h := l.hostings.byID[r.id]
	isKnown := h != nil && h.HTTP.Session == session
	e, found := l.games.FindID(r.id)
	isListed := found && e.HTTP.Session == session
	switch {
	case isKnown && isListed:
		h.published, h.Unreachable = true, e.Unreachable // perhaps by another node
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
