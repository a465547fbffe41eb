package gamespy2net

import (
	"encoding/binary"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// checkAgain checks a server that has not answered the first check.
func (r *registrar) checkAgain(p *packet, dst [][]byte) [][]byte {
	if !r.socket.Verified.Allow(p.from.Addr(), p.now) {
		return dst
	}
	r.refuse(p.from, lobbywire.ReasonUnreachable, "")
	r.whileLocked(p.now, func() { r.pending.await(awaitsAnswer, p, [4]byte{}) })
	return r.appendCheck(dst, p.from, len(p.b), p.now)
}

// appendCheck appends the queries that check whether a server answers, unless
// they are longer than limit bytes: a query for a key and, for servers that require a
// challenge, a challenge request.
func (r *registrar) appendCheck(dst [][]byte, to netip.AddrPort, limit int, now time.Time) [][]byte {
	var id [4]byte
	binary.BigEndian.PutUint32(id[:], r.socket.Minter.Token(to, now))
	out, size := dst, 0
	for _, q := range []gamespy2.Request{
		{Type: gamespy2.TypeQuery, ID: id, Info: gamespy2.Keys(gamespy2.KeyHostname)},
		{Type: gamespy2.TypeChallenge, ID: id},
	} {
		out = udp.AppendMessage(out, q) // cannot fail
		size += len(out[len(out)-1])
	}
	if size > limit {
		return dst
	}
	return out
}

// checkAnswered handles a packet that is not a message of QR2; it returns false if the
// packet belongs to another protocol. It lists a server that answers a check, and refuses a
// server that has to answer but sends something unknown. A server that answers only the
// challenge request, as all servers do, needs a challenge.
func (r *registrar) checkAnswered(p *packet) (handled bool) {
	answer, hidden := noAnswer, false
	r.catalogue.servers.Update(p.from, p.now, false, func(t *locked, i int) registry.Outcome {
		answer, hidden = r.answerIn(p), t.State(i) == registry.Hidden
		return r.keepChecked(t, i, answer)
	})
	switch {
	case answer != noAnswer:
		return true
	case hidden && refusals.ProtocolOf(p.b) == nil:
		r.refuse(p.from, lobbywire.ReasonOther, "")
		return true
	}
	return false
}

// keepChecked lists server i if it has answered its first check.
func (r *registrar) keepChecked(t *locked, i int, answer checkAnswer) registry.Outcome {
	if answer == noAnswer {
		return registry.Ignore
	}
	r.pending.answered(t.Key(i))
	switch {
	case t.State(i) == registry.Hidden:
		r.catalogue.setNeedsChallenge(t, i, answer == answersChallenge)
		t.Decide(i)
		return registry.Keep
	case answer == answersQuery:
		r.catalogue.setNeedsChallenge(t, i, false)
	}
	return registry.Ignore
}

// A checkAnswer says which request of a check a datagram answers.
type checkAnswer int

const (
	noAnswer         checkAnswer = iota
	answersQuery                 // the query, without a challenge
	answersChallenge             // the challenge request
)

// answerIn returns the request of a check that a packet answers.
func (r *registrar) answerIn(p *packet) checkAnswer {
	var id [4]byte
	answer := noAnswer
	if v, err := gamespy2.ParseValues(p.b, 1); err == nil {
		id, answer = v.ID, answersQuery
	} else if c, err := gamespy2.ParseChallengeResponse(p.b); err == nil {
		id, answer = c.ID, answersChallenge
	}
	if !r.socket.Minter.Valid(p.from, binary.BigEndian.Uint32(id[:]), p.now) {
		return noAnswer
	}
	return answer
}
