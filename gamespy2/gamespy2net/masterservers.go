package gamespy2net

import (
	"iter"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// registered is a server that has answered a challenge. It is hidden until it has answered
// a query.
type registered struct {
	game    *gameTable
	key     [4]byte // the instance key
	listing *listing
	place   int // in the list of its game while it is listed
}

// A report is a parsed heartbeat.
type report struct {
	heartbeat qr2.Heartbeat
	identity  qr2.Identity
}

// read parses a heartbeat and returns the game of the server, or nil if the game is
// unknown or the heartbeat is malformed.
func (m *Master) read(heartbeat []byte) (r report, game *gameTable) {
	var err error
	if r.heartbeat, err = qr2.ParseHeartbeat(heartbeat); err == nil {
		r.identity = r.heartbeat.Identity()
		game = m.games[r.identity.GameName]
	}
	if game == nil {
		m.foreign.Add(1)
	}
	return r, game
}

// listLocked adds server i to the list of its game.
func (m *Master) listLocked(i int) {
	s := m.servers.Value(i)
	s.place = s.game.add(s.listing)
}

// unlistLocked removes server i from the list of its game.
func (m *Master) unlistLocked(i int) {
	s := m.servers.Value(i)
	m.servers.Value(s.game.remove(s.place)).place = s.place
}

// Review calls Admit again for every server. Call it when the rules of Admit have
// changed. It blocks the Master only for a few hundred calls of Admit at a time.
func (m *Master) Review() {
	m.start()
	m.servers.Review()
}

// refresh stores a heartbeat if it comes from a verified address with the same
// instance key. It reports whether it does, and whether the server still has to answer
// a query.
func (m *Master) refresh(from netip.AddrPort, heartbeat []byte, now time.Time) (isVerified, isUnchecked bool) {
	key, _ := qr2.PeekKey(heartbeat)
	m.servers.Update(now, func() (i int, do registry.Outcome) {
		if i, isVerified = m.findVerified(from, key); !isVerified {
			return 0, registry.Ignore
		}
		s := m.servers.Value(i)
		if s.listing.heartbeat != string(heartbeat) {
			// Changes take time, of the Master and of the clients that get them.
			if !m.loop.Verified.Allow(from.Addr(), now) {
				return 0, registry.Ignore
			}
			r, game := m.read(heartbeat)
			switch {
			case game == nil:
				return 0, registry.Ignore
			case game != s.game: // the server has not proved that it has the new game's secret key
				isVerified = false
				return 0, registry.Ignore
			case r.identity.State == qr2.StateShutdown:
				return i, registry.Remove
			}
			m.setLocked(i, game, &r, string(heartbeat))
			if m.servers.State(i) != registry.Hidden {
				m.servers.Judge(i)
			}
		}
		m.heard++
		isUnchecked = m.servers.State(i) == registry.Hidden
		return i, registry.Keep
	})
	return isVerified, isUnchecked
}

// touch keeps a server listed, and reports whether its address is verified.
func (m *Master) touch(from netip.AddrPort, key [4]byte, now time.Time) bool {
	return m.servers.Update(now, func() (i int, do registry.Outcome) {
		if i, ok := m.findVerified(from, key); ok {
			return i, registry.Keep
		}
		return 0, registry.Ignore
	})
}

// findVerified returns the number of the server with an address and an instance key.
func (m *Master) findVerified(from netip.AddrPort, key [4]byte) (i int, ok bool) {
	i, known := m.servers.Find(from)
	return i, known && m.servers.Value(i).key == key
}

// register adds a server that answers a challenge, and reports whether the answer is
// right and there is room for the server.
func (m *Master) register(from netip.AddrPort, a *qr2.ChallengeAnswer, now time.Time) bool {
	return m.servers.Update(now, func() (i int, do registry.Outcome) {
		p := m.pending.get(from, now)
		if p == nil {
			return 0, registry.Ignore
		}
		if key, _ := qr2.PeekKey(p.heartbeat); key != a.Key {
			return 0, registry.Ignore
		}
		r, game := m.read(p.heartbeat)
		if !m.isRight(game, from, a.Text, now) {
			m.wrong.Add(1)
			return 0, registry.Ignore
		}
		p.from = netip.AddrPort{} // the answer is used up
		i, ok := m.servers.Add(from, now.Add(Expiry))
		if !ok {
			return 0, registry.Ignore
		}
		m.setLocked(i, game, &r, string(p.heartbeat))
		m.heard++
		if m.Unchecked || m.servers.State(i) != registry.Hidden {
			m.servers.Judge(i)
		}
		return i, registry.Keep
	})
}

// queryAnswered lists a server that answers a query of the Master. It reports whether
// the datagram is such an answer.
func (m *Master) queryAnswered(from netip.AddrPort, b []byte, now time.Time) (isAnswer bool) {
	m.servers.Update(now, func() (i int, do registry.Outcome) {
		i, known := m.servers.Find(from)
		isAnswer = known && m.isQueryAnswer(from, b, now)
		if !isAnswer || m.servers.State(i) != registry.Hidden {
			return 0, registry.Ignore
		}
		m.servers.Judge(i)
		return i, registry.Keep
	})
	return isAnswer
}

// setLocked replaces the report of server i.
func (m *Master) setLocked(i int, game *gameTable, r *report, heartbeat string) {
	s := m.servers.Value(i)
	if s.game != game {
		m.servers.Hide(i)
		s.game = game
	}
	l := m.newListing(i, r, heartbeat, s.listing)
	s.key = r.heartbeat.Key
	if m.servers.State(i) == registry.Listed {
		game.replace(s.place, l)
	}
	s.listing = l
}

// entryLocked returns server i.
func (m *Master) entryLocked(i int) Entry {
	s := m.servers.Value(i)
	return Entry{
		Game:      s.game.Name,
		Addr:      m.servers.Addr(i),
		Seen:      m.servers.Deadline(i).Add(-Expiry),
		Heartbeat: s.listing.heartbeat,
		Withheld:  m.servers.State(i) == registry.Withheld,
	}
}

// Servers returns the servers that are listed or withheld, in no particular order.
// It does not block the Master, so it may miss servers that are added or removed
// during the iteration, and may yield a server twice if it is removed and added
// again.
func (m *Master) Servers() iter.Seq[Entry] {
	m.start()
	return m.servers.All()
}
