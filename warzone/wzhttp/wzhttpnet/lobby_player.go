package wzhttpnet

import (
	"crypto/sha256"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// join answers a player who requests the addresses of a game. The player gets addresses of
// the family of the request, if there are any, because the game sends a request over each
// family.
func (l *Lobby) join(r *lobbyRequest) (reply wzhttp.JoinReply, err error) {
	m, err := bodyOptions().ParseJoinRequest(r.body)
	if err != nil {
		return reply, err
	}
	e, found := l.games.FindID(r.id)
	if !found || !e.Published() || e.Withheld || e.Started {
		return reply, errGameNotFound
	}
	if l.AdmitJoin != nil {
		refused := l.AdmitJoin(r.Context(), JoinAttempt{Game: e, From: r.from, Request: m})
		if refused != nil {
			return reply, refused.complete()
		}
	}
	reply.Connections = l.connectionsFor(&e, r.from)
	if e.Source == warzonegames.SourceHTTP {
		reply.JoinToken = l.tokens.joinToken(e.ID, e.HTTP.Session, m.Spectate, time.Now())
	}
	l.counts.Add(&l.counts.Stats.Joins)
	return reply, nil
}

// connectionsFor returns the addresses for a player.
func (l *Lobby) connectionsFor(e *warzonegames.Entry, player netip.Addr) []wzhttp.Address {
	var all, own []wzhttp.Address
	for _, at := range listedAt(e) {
		at = l.games.ForLobbies().PublicAddr(at)
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

// checkJoin answers a host that has received a player's token.
func (l *Lobby) checkJoin(r *lobbyRequest, e warzonegames.Entry) (wzhttp.Verdict, error) {
	m, err := bodyOptions().ParseJoinCheck(r.body)
	if err != nil {
		return wzhttp.Verdict{}, err
	}
	l.counts.Add(&l.counts.Stats.Checks)
	if !l.claimJoin(e, m) {
		l.counts.Add(&l.counts.Stats.Rejected)
		return wzhttp.Verdict{Error: "The player has no valid token of this lobby."}, nil
	}
	return wzhttp.Verdict{Pass: true}, nil
}

// claimJoin assigns a token to a player. It returns false if the token is not valid, or
// another player has used it.
func (l *Lobby) claimJoin(e warzonegames.Entry, m wzhttp.JoinCheck) (ok bool) {
	now := time.Now()
	used, ok := l.tokens.isJoin(m.JoinToken, e.ID, e.HTTP.Session, m.Spectate, now)
	if !ok {
		return false
	}
	used.Player = playerOf(m)
	_, err := l.games.ForLobbies().Adopt(e.ID, func(e *warzonegames.Entry) {
		ok = e.HTTP.UseToken(used, now)
		e.Expires = expires()
	})
	return err == nil && ok
}

// playerOf returns the identity of a player for all nodes: a hash of the key or, without a
// key, of the address that the host sees.
func playerOf(m wzhttp.JoinCheck) [8]byte {
	is := "key " + m.PublicKey
	if m.PublicKey == "" {
		is = "address " + m.IP.Unmap().String()
	}
	sum := sha256.Sum256([]byte(is))
	return [8]byte(sum[:])
}
