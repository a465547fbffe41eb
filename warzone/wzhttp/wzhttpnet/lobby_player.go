package wzhttpnet

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// join answers a player who requests the addresses of a game. The player gets those
// of the address family of the request, if there are any, because the game sends a
// request over each family.
func (l *Lobby) join(r *lobbyRequest) (reply wzhttp.JoinReply, err error) {
	m, err := bodyOptions().ParseJoinRequest(r.body)
	if err != nil {
		return reply, err
	}
	id, ok := parseGameID(r.id)
	e, found := l.games.FindID(id)
	if !ok || !found || e.Withheld || e.Started {
		return reply, errGameNotFound
	}
	if l.AdmitJoin != nil {
		refused := l.AdmitJoin(r.Context(), JoinAttempt{Game: e, From: r.from, Request: m})
		if refused != nil {
			return reply, refused.complete()
		}
	}
	reply.Connections = connectionsFor(&e, r.from)
	if e.Source == warzonegames.SourceHTTP {
		reply.JoinToken = l.tokens.joinToken(id, e.HTTP.Session, m.Spectate, time.Now())
	}
	l.counts.Add(&l.counts.Stats.Joins)
	return reply, nil
}

// connectionsFor returns the addresses for a player.
func connectionsFor(e *warzonegames.Entry, player netip.Addr) []wzhttp.Address {
	var all, own []wzhttp.Address
	for _, at := range e.Addresses() {
		a := wzhttp.Address{Type: kindOf(at), Host: at.Addr().String(), Port: at.Port()}
		all = append(all, a)
		if at.Addr().Is4() == player.Is4() {
			own = append(own, a)
		}
	}
	if len(own) > 0 {
		return own
	}
	return all
}
