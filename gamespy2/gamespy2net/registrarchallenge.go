package gamespy2net

import (
	"crypto/subtle"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// challenge sends a challenge to a server, and keeps its heartbeat until it answers.
func (r *registrar) challenge(p *packet, dst [][]byte) [][]byte {
	// Forged heartbeats do not use up the limit of a listed server.
	if !r.socket.Limiter.Allow(p.from.Addr(), p.now) {
		return dst
	}
	report, game := r.catalogue.read(p.b)
	key := report.heartbeat.Key
	switch {
	case game == nil && report.identity.GameName == "":
		r.refuse(p.from, lobbywire.ReasonInvalid, "")
		return dst
	case game == nil:
		r.refuse(p.from, lobbywire.ReasonGame, report.identity.GameName)
		return dst
	case report.identity.State == qr2.StateShutdown:
		r.whileLocked(p.now, func() { r.pending.forget(p.from, key) })
		return dst
	}
	var text [qr2.MaxChallenge]byte
	token := r.socket.Minter.Token(p.from, p.now)
	c := qr2.Challenge{Key: key, Text: string(game.appendChallenge(text[:0], p.from, token))}
	out := udp.Next(dst)
	last := &out[len(dst)]
	*last, _ = c.AppendBinary(*last) // cannot fail
	if len(*last) > len(p.b) {
		return dst
	}
	r.challenges.Add(1)
	r.whileLocked(p.now, func() { r.pending.put(p, key, *last) })
	r.refuse(p.from, lobbywire.ReasonChallenge, game.Name)
	return out
}

// isRight reports whether text answers a challenge that was sent to the sender of a packet.
func (r *registrar) isRight(g *gameTable, p *packet, text string) bool {
	const right = 1
	compare := func(token uint32) int32 { return g.compare(p.from, token, text) }
	return r.socket.Minter.ValidAs(compare, p.from, right, p.now)
}

// isLate reports whether text answers a challenge sent up to a minute before the valid
// ones.
func (r *registrar) isLate(g *gameTable, p *packet, text string) bool {
	for slots := 2; slots <= 8; slots++ {
		token := r.socket.Minter.Token(p.from, p.now.Add(-time.Duration(slots)*challengeSlot))
		if g.compare(p.from, token, text) == 1 {
			return true
		}
	}
	return false
}

// compare returns 1 if text answers the challenge with a token, and 0 if not, in constant
// time.
func (g *gameTable) compare(from netip.AddrPort, token uint32, text string) int32 {
	var challenge [qr2.MaxChallenge]byte
	var answer [2 * qr2.MaxChallenge]byte
	want := qr2.AppendAnswer(answer[:0], g.appendChallenge(challenge[:0], from, token), g.Key)
	return int32(subtle.ConstantTimeCompare(want, []byte(text)))
}

// appendChallenge appends the text of a challenge to a server of the game.
func (g *gameTable) appendChallenge(b []byte, from netip.AddrPort, token uint32) []byte {
	t := qr2.ChallengeText{Random: udp.Letters(token), Addr: from}
	if g.RequireChallenge {
		t.Options = qr2.OptionQueryChallenge
	}
	return t.AppendTo(b)
}
