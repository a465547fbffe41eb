package gameagentnet

import (
	"errors"
	"math"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// Times of the native form.
const (
	challengeSlot = 10 * time.Second
	hideEvery     = 10 * time.Second // minimum
	proveEvery    = time.Minute      // more often would slow down heartbeats
)

// heartbeat keeps a server listed, lists a server that returns its challenge, or sends a
// challenge.
func (r *registrar) heartbeat(p *packet, dst [][]byte) [][]byte {
	if !listable(p.from) {
		r.refusals.Address(p.from, "")
		return dst
	}
	is := r.refresh(p)
	if is == verified {
		return dst
	}
	h, err := gameagent.ParseHeartbeat(p.b)
	if err == nil && r.socket.Minter.ValidAs(number, p.from, h.Challenge, p.now) {
		// Charged to no limit, so that all servers of an address can register at once.
		r.enter(p)
		return dst
	}
	asks := err == nil && h.Challenge == 0 // for a challenge
	// Forged heartbeats do not use up the limit of a listed server.
	if is == unknown {
		if !r.socket.Limiter.Allow(p.from.Addr(), p.now) {
			return dst
		}
		switch {
		case err != nil:
			r.refusals.Malformed(p.from, p.b, err)
		case !asks:
			r.refusals.Malformed(p.from, nil, errChallenge)
		}
	}
	if asks && (is == unknown || r.socket.Verified.Allow(p.from.Addr(), p.now)) {
		return r.challenge(p, dst)
	}
	return dst
}

// errChallenge is why a heartbeat does not list a server.
var errChallenge = errors.New("the heartbeat has a wrong or old challenge")

// A standing is what the registrar knows of the sender of a heartbeat.
type standing int

const (
	unknown    standing = iota
	unverified          // it has to return a challenge
	verified            // it needs no answer
)

// refresh keeps a heartbeat if it comes from a verified server.
func (r *registrar) refresh(p *packet) (is standing) {
	r.catalogue.servers.Update(p.from, p.now, false, func(t *locked, i int) registry.Outcome {
		if t.State(i) == registry.Hidden || t.Value(i).heartbeat == "" {
			is = unverified
			return registry.Ignore
		}
		is = verified
		return r.keep(t, i, p)
	})
	return is
}

// enter registers a server whose address is verified.
func (r *registrar) enter(p *packet) {
	r.catalogue.servers.Update(p.from, p.now, true, func(t *locked, i int) registry.Outcome { return r.keep(t, i, p) })
}

// keep keeps a heartbeat of server i, which is then listed or withheld.
func (r *registrar) keep(t *locked, i int, p *packet) registry.Outcome {
	s := t.Value(i)
	r.heartbeats.Add(1)
	s.synced, s.local = false, p.local
	if clock := r.catalogue.servers.Clock(p.now); clock-s.proved >= proveEvery {
		s.proved = clock
		r.socket.Proven.Add(p.from.Addr(), p.now)
	}
	isNew := t.State(i) == registry.Hidden
	if news := s.heartbeat != string(p.b); news || isNew {
		if news {
			r.catalogue.setHeartbeat(t, i, string(p.b))
		}
		t.SetDeadline(i, p.now.Add(Expiry)) // for Admit
		r.catalogue.decide(t, i)
	}
	if isNew {
		r.catalogue.checkMoved(t, i, p.now)
	}
	return registry.Keep
}

// join answers a join, which may come again, or a change of state from an unlisted server.
func (r *registrar) join(p *packet, again bool, dst [][]byte) [][]byte {
	if !listable(p.from) {
		r.refusals.Address(p.from, "")
		return dst
	}
	if native, legacy := r.verified(p); native || again && legacy {
		if !again || !r.socket.Verified.Allow(p.from.Addr(), p.now) {
			return dst
		}
		r.hide(p.from, p.now)
	} else if !r.socket.Limiter.Allow(p.from.Addr(), p.now) {
		return dst
	}
	return r.challenge(p, dst)
}

// verified reports whether the sender of a packet is listed or withheld: in the native form
// because it has returned a challenge since it joined, in the legacy form because it has
// answered a check.
func (r *registrar) verified(p *packet) (native, legacy bool) {
	r.catalogue.servers.Do(p.now, func(t *locked) {
		if i, known := t.Find(p.from); known && t.State(i) != registry.Hidden {
			s := t.Value(i)
			native, legacy = s.heartbeat != "", s.status != ""
		}
	})
	return native, legacy
}

// hide removes a server from the list until it returns a challenge. Because the join
// may be forged, it does so only every hideEvery. A server that has answered a check
// in the legacy form stays listed, because it need not answer challenges.
func (r *registrar) hide(from netip.AddrPort, now time.Time) {
	r.catalogue.servers.Update(from, now, false, func(t *locked, i int) registry.Outcome {
		s, clock := t.Value(i), r.catalogue.servers.Clock(now)
		if s.status != "" || clock-s.hid < hideEvery {
			return registry.Ignore
		}
		s.hid = clock
		return registry.Hide
	})
}

func (r *registrar) challenge(p *packet, dst [][]byte) [][]byte {
	r.challenges.Add(1)
	r.refuse(p.from, lobbywire.ReasonChallenge, "")
	return udp.AppendMessage(dst, gameagent.Challenge{Challenge: number(r.socket.Minter.Token(p.from, p.now))})
}

// number converts a token to a challenge. It is positive, so it has 31 bits, because
// some servers may not return a sign.
func number(token uint32) int32 { return max(int32(token&math.MaxInt32), 1) }
