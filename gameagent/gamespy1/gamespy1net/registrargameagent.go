package gamespy1net

import (
	"errors"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/internal/serverlist"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// challengeSlot is the time for which a challenge stays the same.
const challengeSlot = 10 * time.Second

// gameAgentHeartbeat keeps a server listed, lists a server that returns its challenge, or sends a
// challenge.
func (r *registrar) gameAgentHeartbeat(p *serverlist.Packet, dst [][]byte) [][]byte {
	if !serverlist.Listable(p.From) {
		r.refusals.Address(p.From, "")
		return dst
	}
	is := r.list.Refresh(p)
	if is == serverlist.Verified {
		r.heartbeats.Add(1)
		return dst
	}
	h, err := gameagent.ParseHeartbeat(p.Body)
	if err == nil && r.socket.Minter.ValidAs(serverlist.Number, p.From, h.Challenge, p.Now) {
		// Charged to no limit, so that all servers of an address can register at once.
		if r.list.Enter(p) {
			r.heartbeats.Add(1)
		}
		return dst
	}
	asks := err == nil && h.Challenge == 0 // for a challenge
	// Forged heartbeats do not use up the limit of a listed server.
	if is == serverlist.Unknown {
		if !r.socket.Limiter.Allow(p.From.Addr(), p.Now) {
			return dst
		}
		switch {
		case err != nil:
			r.refusals.Malformed(p.From, p.Body, err)
		case !asks:
			r.refusals.Malformed(p.From, nil, errChallenge)
		}
	}
	if asks && (is == serverlist.Unknown || r.socket.Verified.Allow(p.From.Addr(), p.Now)) {
		return r.challenge(p, dst)
	}
	return dst
}

// errChallenge is the reason why a heartbeat does not list a server.
var errChallenge = errors.New("the heartbeat has a wrong or old challenge")

// join answers a join, which may be repeated, or a change of state from an unlisted server.
func (r *registrar) join(p *serverlist.Packet, again bool, dst [][]byte) [][]byte {
	if !serverlist.Listable(p.From) {
		r.refusals.Address(p.From, "")
		return dst
	}
	byChallenge, byQuery := r.list.IsVerified(p.From, p.Now)
	if byChallenge || again && byQuery {
		if !again || !r.socket.Verified.Allow(p.From.Addr(), p.Now) {
			return dst
		}
		r.list.Hide(p.From, p.Now)
	} else if !r.socket.Limiter.Allow(p.From.Addr(), p.Now) {
		return dst
	}
	return r.challenge(p, dst)
}

func (r *registrar) challenge(p *serverlist.Packet, dst [][]byte) [][]byte {
	r.challenges.Add(1)
	r.refuse(p.From, lobbywire.ReasonChallenge, "")
	return udp.AppendMessage(dst, gameagent.Challenge{Challenge: serverlist.Number(r.socket.Minter.Token(p.From, p.Now))})
}
