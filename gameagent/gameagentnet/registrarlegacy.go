package gameagentnet

import (
	"crypto/subtle"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// legacyHeartbeat starts a check of the server, whether to list it or to keep it
// listed. A server that is not listed gets a challenge.
func (r *registrar) legacyHeartbeat(p *packet, dst [][]byte) [][]byte {
	h, err := gamespy1.ParseHeartbeat(p.b)
	g := r.catalogue.game(h.GameName)
	query := g.queryOf(&h, p.from)
	switch {
	case err != nil:
		r.refusals.Report(lobbywire.Refusal{From: p.from, Reason: lobbywire.ReasonInvalid, Err: err})
		return dst
	case !listable(query):
		r.refusals.Address(query, h.GameName)
		return dst
	case g == nil:
		r.foreign.Add(1)
		r.refuse(query, lobbywire.ReasonGame, h.GameName)
		return dst
	}
	c := check{query: query, game: g, from: p.from, local: p.local, stops: h.StateChanged}
	if r.checker.recheck(c, p.now) {
		r.heartbeats.Add(1)
		return dst
	}
	stopping := c.stops && r.checker.waiting.stop(c, p.now)
	if stopping || h.ShuttingDown || !r.socket.Limiter.Allow(p.from.Addr(), p.now) {
		return dst
	}
	c.isFirst, c.stops = true, false
	r.checker.first(c, p.now)
	if g.Key == "" {
		return dst
	}
	r.challenges.Add(1)
	return udp.AppendMessage(dst, gamespy1.Secure{Secure: udp.Letters(r.socket.Minter.Token(p.from, p.now))})
}

// legacyValidation checks a server before others if it has returned the
// challenge, which verifies its address.
func (r *registrar) legacyValidation(p *packet) {
	var wrong *check // one whose game must validate
	c, ok := r.checker.waiting.validate(p.from, p.now, func(c check) bool {
		if !r.socket.Limiter.Allow(p.from.Addr(), p.now) {
			return false
		}
		v, err := gamespy1.ParseValidation(p.b)
		right := err == nil && r.isValid(p, v.Validate, c.game.Key)
		if !right {
			r.wrong.Add(1)
		}
		if !right && c.game.mustValidate() {
			wrong = &c
		}
		return right
	})
	if wrong != nil {
		r.checker.refuse(*wrong, lobbywire.ReasonKey, nil)
	}
	if ok {
		r.checker.lanes.proven.add(c)
	}
}

// isValid reports whether validate is the answer to a challenge that was sent to the sender of
// a packet.
func (r *registrar) isValid(p *packet, validate, key string) bool {
	const right = 1
	return r.socket.Minter.ValidAs(func(token uint32) int32 {
		want := gamespy1.Validate(udp.Letters(token), key)
		return int32(subtle.ConstantTimeCompare([]byte(validate), []byte(want)))
	}, p.from, right, p.now)
}
