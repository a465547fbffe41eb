package warzonenet

import (
	"crypto/sha256"
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
	now := time.Now()
	if !l.tokens.isJoin(m.JoinToken, game.id, game.session, m.Spectate, now) || !l.claimJoin(m, now) {
		l.stats.rejected.Add(1)
		return httpAnswer{http.StatusOK, wzhttp.Verdict{Error: "The player has no valid token of this lobby."}}, nil
	}
	return httpAnswer{http.StatusOK, wzhttp.Verdict{Pass: true}}, nil
}

// httpJoins has the tokens that players have used, so that nobody else can use
// them. The same player may use one again, for example to try another password.
// There are two generations, each as long as a token is valid.
type httpJoins struct {
	current, last map[[sha256.Size]byte][sha256.Size]byte // players by token, hashed
	since         time.Time
}

// maxJoins limits the tokens of a generation. Further tokens can be used by several
// players.
const maxJoins = 1 << 16

// claimJoin assigns a token to a player. It returns false if another player has
// used it.
func (l *HTTPLobby) claimJoin(m wzhttp.JoinCheck, now time.Time) bool {
	token, player := sha256.Sum256([]byte(m.JoinToken)), sha256.Sum256([]byte(m.PublicKey))
	l.mu.Lock()
	defer l.mu.Unlock()
	j := &l.joins
	if now.Sub(j.since) >= joinLife {
		j.last, j.current, j.since = j.current, nil, now
	}
	for _, used := range []map[[sha256.Size]byte][sha256.Size]byte{j.current, j.last} {
		if by, ok := used[token]; ok {
			return by == player
		}
	}
	if j.current == nil {
		j.current = make(map[[sha256.Size]byte][sha256.Size]byte)
	}
	if len(j.current) < maxJoins {
		j.current[token] = player
	}
	return true
}
