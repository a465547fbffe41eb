package gamespy2net

import (
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// heartbeat keeps a server registered, or sends it a challenge.
func (r *registrar) heartbeat(p *packet, dst [][]byte) [][]byte {
	if !listable(p.from) {
		r.refusals.Address(p.from, "")
		return dst
	}
	switch r.refresh(p) {
	case verified:
		return dst
	case unanswered:
		return r.checkAgain(p, dst)
	}
	return r.challenge(p, dst)
}

// A standing is the state of the sender of a heartbeat.
type standing int

const (
	unverified standing = iota // it has to answer a challenge
	unanswered                 // it has answered a challenge, but no check yet
	verified                   // it needs no answer
)

// refresh keeps a heartbeat if it comes from a verified address with the same instance key.
func (r *registrar) refresh(p *packet) (is standing) {
	r.catalogue.servers.Update(p.from, p.now, false, func(t *locked, i int) (do registry.Outcome) {
		is, do = r.keep(t, i, p)
		return do
	})
	return is
}

// keep is refresh for server i.
func (r *registrar) keep(t *locked, i int, p *packet) (standing, registry.Outcome) {
	s := t.Value(i)
	if key, _ := qr2.PeekKey(p.b); key != s.key {
		return unverified, registry.Ignore
	}
	if s.listing.Heartbeat != string(p.b) {
		// Changes take time of the Master and of the clients that receive them. The last
		// message of a server is not repeated.
		if qr2.PeekState(p.b) != qr2.StateShutdown && !r.socket.Verified.Allow(p.from.Addr(), p.now) {
			return verified, registry.Ignore
		}
		report, game := r.catalogue.read(p.b)
		switch {
		case game == nil:
			return verified, registry.Ignore
		case game != s.game: // the server has not proved that it knows the new game's secret key
			return unverified, registry.Ignore
		case report.identity.State == qr2.StateShutdown:
			return verified, registry.Remove
		}
		r.catalogue.set(t, i, game, &report, string(p.b))
		if t.State(i) != registry.Hidden {
			t.Decide(i)
		}
	}
	r.noteHeartbeat(t, i, p)
	if t.State(i) == registry.Hidden {
		return unanswered, registry.Keep
	}
	return verified, registry.Keep
}
