package gamespy2net

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// answered registers a server that answers its challenge, and checks it. A right answer is
// charged to no limit, so that all servers of an address can register at once. A server with
// a wrong key gets an error.
func (r *registrar) answered(p *packet, dst [][]byte) [][]byte {
	a, err := qr2.ParseChallengeAnswer(p.b)
	if err != nil || !listable(p.from) {
		return dst
	}
	switch r.register(p, &a) {
	case answerRight:
		dst = udp.AppendMessage(dst, qr2.Registered{Key: a.Key}) // cannot fail
		if !r.unchecked {
			dst = r.appendCheck(dst, p.from, len(p.b)-len(dst[len(dst)-1]), p.now)
		}
	case answerWrong:
		out := udp.AppendMessage(dst, qr2.AddError{Key: a.Key, Code: 1, Text: "wrong secret key"}) // cannot fail
		if len(out[len(dst)]) <= len(p.b) && r.socket.Limiter.Allow(p.from.Addr(), p.now) {
			return out
		}
	}
	return dst
}

// A verdict is the result of an answer to a challenge.
type verdict int

const (
	answerIgnored verdict = iota // there is no challenge to answer, or no room for the server
	answerRight                  // the server is registered
	answerWrong                  // the server uses a different secret key
)

// register adds a server that answers a challenge. A wrong answer discards the heartbeat; a
// late one, to an earlier challenge, does not.
func (r *registrar) register(p *packet, a *qr2.ChallengeAnswer) verdict {
	var heartbeat []byte
	r.whileLocked(p.now, func() { heartbeat = r.pending.get(p.from, a.Key, p.now) })
	if heartbeat == nil {
		return answerIgnored
	}
	report, game := r.catalogue.read(heartbeat)
	switch {
	case game == nil: // SetGames has removed it meanwhile
		return answerIgnored
	case r.isRight(game, p, a.Text):
		return r.enter(p, game, &report, string(heartbeat))
	case r.isLate(game, p, a.Text):
		return answerIgnored
	}
	r.wrong.Add(1)
	r.refuse(p.from, lobbywire.ReasonKey, game.Name)
	r.whileLocked(p.now, func() { r.pending.forget(p.from, a.Key) })
	return answerWrong
}

// enter registers a server with its heartbeat, and waits for the answer to the check.
func (r *registrar) enter(p *packet, game *gameTable, report *report, heartbeat string) verdict {
	key, hidden := report.heartbeat.Key, false
	entered := r.catalogue.servers.Update(p.from, p.now, true, func(t *locked, i int) registry.Outcome {
		r.pending.forget(p.from, key) // the answer must not count twice
		if r.catalogue.game(game.Name) != game && t.State(i) == registry.Hidden {
			return registry.Remove
		}
		r.catalogue.set(t, i, game, report, heartbeat)
		r.noteHeartbeat(t, i, p)
		if r.unchecked || t.State(i) != registry.Hidden {
			t.Decide(i)
		} else {
			r.pending.await(awaitsAnswer, p, key)
		}
		hidden = t.State(i) == registry.Hidden
		return registry.Keep
	})
	if !entered {
		return answerIgnored
	}
	if hidden {
		r.refuse(p.from, lobbywire.ReasonQuery, game.Name)
	}
	if !r.unchecked {
		r.checkMoved(p, key, game)
	}
	return answerRight
}
