package serverlist

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// The rest of this file is for servers that register by GameAgent: they have a heartbeat,
// and are verified because they have returned a challenge.

const (
	hideEvery  = 10 * time.Second // minimum
	proveEvery = time.Minute      // more often would slow down heartbeats
)

// A Standing is the state of the sender of a heartbeat.
type Standing int

const (
	Unknown    Standing = iota
	Unverified          // it has to return a challenge
	Verified            // it needs no answer
)

// Refresh keeps a heartbeat if it comes from a verified server.
func (l *List) Refresh(p *Packet) (is Standing) {
	l.Servers.Update(p.From, p.Now, false, func(t *Locked, i int) registry.Outcome {
		if t.State(i) == registry.Hidden || t.Value(i).heartbeat == "" {
			is = Unverified
			return registry.Ignore
		}
		is = Verified
		return l.keep(t, i, p)
	})
	return is
}

// Enter registers a server that has returned a challenge, unless there is no room for it.
func (l *List) Enter(p *Packet) (kept bool) {
	return l.Servers.Update(p.From, p.Now, true, func(t *Locked, i int) registry.Outcome { return l.keep(t, i, p) })
}

// keep keeps a heartbeat of server i, which is then listed or withheld.
func (l *List) keep(t *Locked, i int, p *Packet) registry.Outcome {
	s := t.Value(i)
	s.synced, s.local = false, p.Local
	if clock := l.Servers.Clock(p.Now); clock-s.proved >= proveEvery {
		s.proved = clock
		l.Proven.Add(p.From.Addr(), p.Now)
	}
	isNew := t.State(i) == registry.Hidden
	if news := s.heartbeat != string(p.Body); news || isNew {
		if news {
			l.setHeartbeat(t, i, string(p.Body))
		}
		t.SetDeadline(i, p.Now.Add(Expiry)) // for Admit
		l.decide(t, i)
	}
	if isNew {
		l.checkMoved(t, i, p.Now)
	}
	return registry.Keep
}

// IsVerified reports whether a server is listed or withheld, because it has returned a
// challenge of GameAgent since it joined, or has answered a query of GameSpy.
func (l *List) IsVerified(from netip.AddrPort, now time.Time) (byChallenge, byQuery bool) {
	l.Servers.Do(now, func(t *Locked) {
		if i, known := t.Find(from); known && t.State(i) != registry.Hidden {
			s := t.Value(i)
			byChallenge, byQuery = s.heartbeat != "", s.status != ""
		}
	})
	return byChallenge, byQuery
}

// Hide removes a server from the list until it returns a challenge. Because the join
// may be forged, it does so only every hideEvery. A server that has answered a query
// stays listed, because it need not answer challenges.
func (l *List) Hide(from netip.AddrPort, now time.Time) {
	l.Servers.Update(from, now, false, func(t *Locked, i int) registry.Outcome {
		s, clock := t.Value(i), l.Servers.Clock(now)
		if s.status != "" || clock-s.hid < hideEvery {
			return registry.Ignore
		}
		s.hid = clock
		return registry.Hide
	})
}

// SetSession sets the session of a server that has a heartbeat.
func (l *List) SetSession(from netip.AddrPort, session Session, now time.Time) {
	if !session.isShort() {
		return
	}
	l.Servers.Update(from, now, false, func(t *Locked, i int) registry.Outcome {
		s := t.Value(i)
		if s.heartbeat == "" || s.session == session {
			return registry.Ignore
		}
		s.session = session
		if t.State(i) != registry.Hidden {
			t.Decide(i)
		}
		return registry.Share
	})
}

// setHeartbeat sets the heartbeat of server i. If the server is not
// listed yet, it also sets the identity and, if it has no status, the game.
func (l *List) setHeartbeat(t *Locked, i int, heartbeat string) {
	s := t.Value(i)
	s.heartbeat = heartbeat
	if t.State(i) != registry.Hidden {
		return
	}
	s.identity = l.identityOf(heartbeat)
	if s.status == "" {
		s.game = l.productOf(heartbeat)
	}
}

// productOf returns the game that a heartbeat names as its product, or nil. Such a server
// does not prove that it knows the key of a game, so games that must validate do not count.
func (l *List) productOf(heartbeat string) *Game {
	h, _ := gameagent.ParseHeartbeat([]byte(heartbeat)) // an invalid one names no product
	g := l.Game(h.Product)
	if g != nil && g.MustValidate() {
		return nil
	}
	return g
}
