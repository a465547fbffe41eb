package gamespy1net

import (
	"crypto/subtle"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/internal/serverlist"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// gameSpyHeartbeat starts a check of the server, to list it or to keep it listed. A server
// that is not listed gets a challenge.
func (r *registrar) gameSpyHeartbeat(p *serverlist.Packet, dst [][]byte) [][]byte {
	h, err := gamespy1.ParseHeartbeat(p.Body)
	g := r.list.Game(h.GameName)
	query := g.QueryOf(&h, p.From)
	switch {
	case err != nil:
		r.refusals.Report(lobbywire.Refusal{From: p.From, Reason: lobbywire.ReasonInvalid, Err: err})
		return dst
	case !serverlist.Listable(query):
		r.refusals.Address(query, h.GameName)
		return dst
	case g == nil:
		r.foreign.Add(1)
		r.refuse(query, lobbywire.ReasonGame, h.GameName)
		return dst
	}
	c := serverlist.Check{Query: query, Game: g, From: p.From, Local: p.Local, Stops: h.StateChanged}
	if r.checker.Recheck(c, p.Now) {
		r.heartbeats.Add(1)
		return dst
	}
	stopping := c.Stops && r.checker.Stopping(c, p.Now)
	if stopping || h.ShuttingDown || !r.socket.Limiter.Allow(p.From.Addr(), p.Now) {
		return dst
	}
	r.checker.First(c, p.Now)
	if g.Key == "" {
		return dst
	}
	r.challenges.Add(1)
	return udp.AppendMessage(dst, gamespy1.Secure{Secure: udp.Letters(r.socket.Minter.Token(p.From, p.Now))})
}

// gameSpyValidation checks a server before others if it has returned the
// challenge, which verifies its address.
func (r *registrar) gameSpyValidation(p *serverlist.Packet) {
	var wrong *serverlist.Check // a check of a game with Validate
	r.checker.Validate(p.From, p.Now, func(c serverlist.Check) bool {
		if !r.socket.Limiter.Allow(p.From.Addr(), p.Now) {
			return false
		}
		v, err := gamespy1.ParseValidation(p.Body)
		right := err == nil && r.isValid(p, v.Validate, c.Game.Key)
		if !right {
			r.wrong.Add(1)
		}
		if !right && c.Game.MustValidate() {
			wrong = &c
		}
		return right
	})
	if wrong != nil {
		r.checker.Refuse(*wrong, lobbywire.ReasonKey, nil)
	}
}

// isValid reports whether validate is the answer to a challenge that was sent to the sender of
// a packet.
func (r *registrar) isValid(p *serverlist.Packet, validate, key string) bool {
	const right = 1
	return r.socket.Minter.ValidAs(func(token uint32) int32 {
		want := gamespy1.Validate(udp.Letters(token), key)
		return int32(subtle.ConstantTimeCompare([]byte(validate), []byte(want)))
	}, p.From, right, p.Now)
}
