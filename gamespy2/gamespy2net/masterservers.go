package gamespy2net

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/internal/gamelist"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A report is a parsed heartbeat.
type report struct {
	heartbeat qr2.Heartbeat
	identity  qr2.Identity
}

// read parses a heartbeat and returns the game of the server, or nil if the game is
// unknown or the heartbeat is malformed.
func (m *Master) read(heartbeat []byte) (r report, game *gameTable) {
	var err error
	r.heartbeat, err = qr2.ParseHeartbeat(heartbeat)
	if err == nil {
		r.identity = r.heartbeat.Identity()
		game = m.game(r.identity.GameName)
	}
	if game == nil {
		m.foreign.Add(1)
	}
	return r, game
}

// refuse reports a server that is not listed.
func (m *Master) refuse(from netip.AddrPort, why lobbywire.Reason, game string) {
	m.refusals.Report(lobbywire.Refusal{From: from, Reason: why, Game: game})
}

// A listMaster is a Master as its servers need it.
type listMaster Master

// Admits reports whether the lists have a server.
func (m *listMaster) Admits(t *locked, i int) bool { return m.Admit == nil || m.Admit(m.Entry(t, i)) }

// List adds server i to the list of its game.
func (m *listMaster) List(t *locked, i int) {
	s := t.Value(i)
	(*Master)(m).keepMapped(t, s.listing.Addr, t.Key(i))
	m.keepInstance(t, i)
	s.place = s.game.Add(s.listing)
}

// Unlist removes server i from the list of its game.
func (m *listMaster) Unlist(t *locked, i int) {
	s := t.Value(i)
	(*Master)(m).forgetMapped(t, s.listing.Addr, t.Key(i))
	m.forgetInstance(t, i)
	t.Value(s.game.Remove(s.place)).place = s.place
}

// Entry returns server i.
func (m *listMaster) Entry(t *locked, i int) Entry {
	s := t.Value(i)
	return Entry{
		Game:           s.game.Name,
		Addr:           t.Key(i),
		Seen:           t.Deadline(i).Add(-Expiry),
		Heartbeat:      s.listing.Heartbeat,
		NeedsChallenge: s.listing.NeedsChallenge,
		Withheld:       t.State(i) == registry.Withheld,
	}
}

// refresh stores a heartbeat if it comes from a verified address with the same
// instance key. It reports whether it does, and whether the server still has to answer
// a query.
func (m *Master) refresh(
	local netip.Addr, from netip.AddrPort, heartbeat []byte, now time.Time,
) (isVerified, isUnchecked bool) {
	key, _ := qr2.PeekKey(heartbeat)
	m.servers.Update(from, now, false, func(t *locked, i int) registry.Outcome {
		s := t.Value(i)
		isVerified = s.key == key
		if !isVerified {
			return registry.Ignore
		}
		if s.listing.Heartbeat != string(heartbeat) {
			// Changes take time, of the Master and of the clients that get them. The last
			// message of a server is not repeated.
			if qr2.PeekState(heartbeat) != qr2.StateShutdown && !m.loop.Verified.Allow(from.Addr(), now) {
				return registry.Ignore
			}
			r, game := m.read(heartbeat)
			switch {
			case game == nil:
				return registry.Ignore
			case game != s.game: // the server has not proved that it has the new game's secret key
				isVerified = false
				return registry.Ignore
			case r.identity.State == qr2.StateShutdown:
				return registry.Remove
			}
			m.set(t, i, game, &r, string(heartbeat))
			if t.State(i) != registry.Hidden {
				t.Decide(i)
			}
		}
		m.noteHeartbeat(t, i, local, now)
		isUnchecked = t.State(i) == registry.Hidden
		return registry.Keep
	})
	return isVerified, isUnchecked
}

// proveEvery is how often at most a server proves its prefix: more often would slow down
// heartbeats.
const proveEvery = time.Minute

// noteHeartbeat counts a heartbeat of server i, whose address is verified.
func (m *Master) noteHeartbeat(t *locked, i int, local netip.Addr, now time.Time) {
	m.heard++
	s := t.Value(i)
	s.local = local
	if clock := m.servers.Clock(now); clock-s.proved >= proveEvery {
		s.proved = clock
		m.loop.Proven.Add(t.Key(i).Addr(), now)
	}
}

// touch keeps a server listed, and reports whether its address is verified.
func (m *Master) touch(local netip.Addr, from netip.AddrPort, key [4]byte, now time.Time) bool {
	return m.servers.Update(from, now, false, func(t *locked, i int) registry.Outcome {
		s := t.Value(i)
		if s.key != key {
			return registry.Ignore
		}
		s.local = local
		return registry.Keep
	})
}

// A verdict is what an answer to a challenge leads to.
type verdict int

const (
	answerIgnored verdict = iota // there is no challenge to answer, or no room for the server
	answerRight                  // the server is registered
	answerWrong                  // the server has a different secret key
)

// register adds a server that answers a challenge. A wrong answer uses up the heartbeat; a
// late one, which answers an earlier challenge, does not.
func (m *Master) register(local netip.Addr, from netip.AddrPort, a *qr2.ChallengeAnswer, now time.Time) verdict {
	var heartbeat []byte
	m.servers.Do(now, func(*locked) { heartbeat = m.pending.get(from, a.Key, now) })
	if heartbeat == nil {
		return answerIgnored
	}
	r, game := m.read(heartbeat)
	if game == nil { // SetGames has removed it meanwhile
		return answerIgnored
	}
	if !m.isRight(game, from, a.Text, now) {
		if m.isLate(game, from, a.Text, now) {
			return answerIgnored
		}
		m.wrong.Add(1)
		m.refuse(from, lobbywire.ReasonKey, game.Name)
		m.servers.Do(now, func(*locked) { m.pending.forget(from, a.Key) })
		return answerWrong
	}
	isHidden := false
	isRegistered := m.servers.Update(from, now, true, func(t *locked, i int) registry.Outcome {
		m.pending.forget(from, a.Key) // the answer is used up
		if m.game(game.Name) != game && t.State(i) == registry.Hidden {
			return registry.Remove
		}
		m.set(t, i, game, &r, string(heartbeat))
		m.noteHeartbeat(t, i, local, now)
		if m.Unchecked || t.State(i) != registry.Hidden {
			t.Decide(i)
		} else {
			m.pending.await(awaitsAnswer, local, from, a.Key, now)
		}
		isHidden = t.State(i) == registry.Hidden
		return registry.Keep
	})
	if !isRegistered {
		return answerIgnored
	}
	if isHidden {
		m.refuse(from, lobbywire.ReasonQuery, game.Name)
	}
	if !m.Unchecked {
		m.checkMoved(instance{from.Addr().As4(), a.Key}, from, game, now)
	}
	return answerRight
}

// queryAnswered lists a server that answers a query of the Master. It reports whether
// the datagram is such an answer, and whether the server had to answer. A server that answers
// only the challenge request needs a challenge; all servers answer that request.
func (m *Master) queryAnswered(from netip.AddrPort, b []byte, now time.Time) (isAnswer, isHidden bool) {
	m.servers.Update(from, now, false, func(t *locked, i int) registry.Outcome {
		answer := m.queryAnswerIn(b, from, now)
		isAnswer = answer != noQueryAnswer
		isHidden = t.State(i) == registry.Hidden
		if isAnswer {
			m.pending.answered(from)
		}
		switch {
		case isAnswer && isHidden:
			m.setChallenge(t, i, answer == answersOnChallenge)
			t.Decide(i)
			return registry.Keep
		case answer == answersQuery:
			m.setChallenge(t, i, false)
		}
		return registry.Ignore
	})
	return isAnswer, isHidden
}

// setChallenge sets whether server i needs a challenge that clients do not send.
func (m *Master) setChallenge(t *locked, i int, needs bool) {
	s := t.Value(i)
	needs = needs && !s.game.RequireChallenge
	if s.listing.NeedsChallenge == needs {
		return
	}
	l := *s.listing
	l.NeedsChallenge = needs
	if t.State(i) == registry.Listed {
		s.game.Replace(s.place, &l)
	}
	s.listing = &l
}

// set replaces the report of server i.
func (m *Master) set(t *locked, i int, game *gameTable, r *report, heartbeat string) {
	s := t.Value(i)
	if s.game != game {
		t.Hide(i)
		s.game = game
	}
	l := m.newListing(t.Key(i), i, r, heartbeat, s.listing)
	if t.State(i) == registry.Listed {
		(*listMaster)(m).forgetInstance(t, i)
		s.key = r.heartbeat.Key
		(*listMaster)(m).keepInstance(t, i)
		game.Replace(s.place, l)
	}
	s.key, s.listing = r.heartbeat.Key, l
}

// newListing returns the listing that replaces old, or the first one of server i if old is
// nil.
func (m *Master) newListing(
	from netip.AddrPort, i int, r *report, heartbeat string, old *gamelist.Listing,
) *gamelist.Listing {
	addr := m.public(from)
	l := &gamelist.Listing{
		Owner:          i,
		Addr:           addr,
		Private:        privateAddr(&r.identity, addr),
		NATNegotiation: r.identity.NATNegotiation,
		Info:           gamelist.MakeKeys(r.heartbeat.GameInfo()),
		Heartbeat:      heartbeat,
	}
	if old != nil {
		l.Country, l.Region, l.NeedsChallenge = old.Country, old.Region, old.NeedsChallenge
	} else if m.Locate != nil {
		l.Country, l.Region = m.Locate(addr.Addr())
	}
	return l
}

// privateAddr returns the first local IPv4 address other than addr, or an invalid one.
func privateAddr(v *qr2.Identity, addr netip.AddrPort) netip.AddrPort {
	for _, a := range v.LocalAddrs {
		local := netip.AddrPortFrom(a.Unmap(), v.LocalPort)
		if local.Addr().Is4() && local.Port() != 0 && local != addr {
			return local
		}
	}
	return netip.AddrPort{}
}

// put lists a server that another node has listed. It ignores invalid entries.
func (m *Master) put(e Entry) {
	from := udp.Unmap(e.Addr)
	if !listable(from) || len(e.Heartbeat) > qr2.MaxHeartbeat {
		return
	}
	r, game := m.read([]byte(e.Heartbeat))
	if game == nil || r.identity.State == qr2.StateShutdown {
		return
	}
	m.servers.Merge(from, e.Seen, func(t *locked, i int) {
		m.set(t, i, game, &r, e.Heartbeat)
		m.setChallenge(t, i, e.NeedsChallenge)
		t.Decide(i)
	})
	if m.game(game.Name) != game { // SetGames has changed it meanwhile
		m.servers.Forget(from)
	}
}
