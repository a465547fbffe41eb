package warzonenet

import (
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// join answers a player who requests the addresses of a game. The player gets those
// of the address family of the request, if there are any, because the game sends a
// request over each family.
func (l *HTTPLobby) join(r *httpRequest) (httpAnswer, *HTTPError) {
	m, err := httpOptions().ParseJoinRequest(r.body)
	if err != nil {
		return httpAnswer{}, unreadable(err)
	}
	id, ok := parseGameID(r.id)
	if !ok {
		return httpAnswer{}, errGameNotFound
	}
	e, found := l.games.FindID(id)
	if !found || e.Withheld || e.Started {
		return httpAnswer{}, errGameNotFound
	}
	if l.AdmitJoin != nil {
		if refused := l.AdmitJoin(r.Context(), HTTPJoinAttempt{Game: e, From: r.from, Request: m}); refused != nil {
			return httpAnswer{}, refused.complete()
		}
	}
	reply := wzhttp.JoinReply{Connections: e.connectionsFor(r.from)}
	if e.Source == SourceHTTP {
		reply.JoinToken = l.tokens.joinToken(id, e.HTTP.Session, m.Spectate, time.Now())
	}
	l.stats.joins.Add(1)
	return httpAnswer{http.StatusOK, reply}, nil
}

// connectionsFor returns the addresses for a player.
func (e *Entry) connectionsFor(player netip.Addr) []wzhttp.Address {
	all := e.connections()
	own := slices.DeleteFunc(slices.Clone(all), func(c hostConn) bool { return c.kind != kindOf(player) })
	if len(own) > 0 {
		all = own
	}
	var out []wzhttp.Address
	for _, c := range all {
		out = append(out, wzhttp.Address{Type: c.kind, Host: c.addr.Addr().String(), Port: c.addr.Port()})
	}
	return out
}

// checkJoin answers a host that asks whether the lobby has sent a player.
func (l *HTTPLobby) checkJoin(r *httpRequest, game authorizedGame) (httpAnswer, *HTTPError) {
	m, err := httpOptions().ParseJoinCheck(r.body)
	if err != nil {
		return httpAnswer{}, unreadable(err)
	}
	l.stats.checks.Add(1)
	if !l.claimJoin(game, m) {
		l.stats.rejected.Add(1)
		return httpAnswer{http.StatusOK, wzhttp.Verdict{Error: "The player has no valid token of this lobby."}}, nil
	}
	return httpAnswer{http.StatusOK, wzhttp.Verdict{Pass: true}}, nil
}

// claimJoin assigns a token to a player. It returns false if the token is not valid, or
// another player has used it.
func (l *HTTPLobby) claimJoin(game authorizedGame, m wzhttp.JoinCheck) (ok bool) {
	now := time.Now()
	token, ok := l.tokens.isJoin(m.JoinToken, game.id, game.session, m.Spectate, now)
	if !ok {
		return false
	}
	l.games.adopt(game.id)
	_, err := l.games.Update(game.id, func(e *Entry) {
		e.HTTP.Joins, ok = addJoin(e.HTTP.Joins, token, m.PublicKey, now)
		e.Expires = l.expires()
	})
	return err == nil && ok
}
