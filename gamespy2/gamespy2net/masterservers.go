package gamespy2net

import (
	"iter"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// registered is a server that has answered a challenge.
type registered struct {
	game    *gameTable
	key     [4]byte // the instance key
	listing *listing
	place   int       // in the list of its game, or the reason why it is not there
	shared  time.Time // when it was last put in the Store
}

// The reasons why a server is not in the list.
const (
	unchecked = -1 // it has not answered a query yet
	withheld  = -2 // Admit has returned false
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
	if r.heartbeat, err = qr2.ParseHeartbeat(heartbeat); err == nil {
		r.identity = r.heartbeat.Identity()
		game = m.games[r.identity.GameName]
	}
	if game == nil {
		m.foreign.Add(1)
	}
	return r, game
}

// expireAtOnce bounds the servers that one request removes, and so the time it takes.
const expireAtOnce = 1000

// lock locks the list and removes servers without a recent heartbeat.
func (m *Master) lock() (unlock func()) {
	m.mu.Lock()
	m.expireLocked(time.Now())
	return m.mu.Unlock
}

// expireLocked removes servers without a recent heartbeat.
func (m *Master) expireLocked(now time.Time) { m.servers.Expire(now, expireAtOnce, m.unlistLocked) }

// unlistLocked removes server i from the list.
func (m *Master) unlistLocked(i int) {
	s := m.servers.Value(i)
	switch s.place {
	case unchecked:
	case withheld:
		m.withheld--
	default:
		m.listed--
		m.servers.Value(s.game.remove(s.place)).place = s.place
	}
	s.place = unchecked
}

// Review calls Admit again for every server. Call it when the rules of Admit have
// changed. It blocks the Master only for a few hundred calls of Admit at a time.
func (m *Master) Review() {
	m.start()
	m.servers.Each(m.lock, func(i int) {
		if m.servers.Value(i).place != unchecked {
			m.judgeLocked(i)
		}
	})
}

// judgeLocked lists or withholds server i, as Admit decides.
func (m *Master) judgeLocked(i int) {
	admitted := m.Admit == nil || m.Admit(m.entryLocked(i))
	s := m.servers.Value(i)
	switch {
	case admitted && s.place < 0:
		m.unlistLocked(i)
		s.place = s.game.add(s.listing)
		m.listed++
	case !admitted && s.place != withheld:
		m.unlistLocked(i)
		s.place = withheld
		m.withheld++
	}
}

// refresh stores a heartbeat if it comes from a verified address with the same
// instance key. It reports whether it does, and whether the server still has to answer
// a query.
func (m *Master) refresh(from netip.AddrPort, heartbeat []byte, now time.Time) (isVerified, isUnchecked bool) {
	key, _ := qr2.PeekKey(heartbeat)
	hasStopped := false
	m.update(now, func() (i int, isAlive bool) {
		if i, isVerified = m.findVerified(from, key); !isVerified {
			return 0, false
		}
		s := m.servers.Value(i)
		if s.listing.heartbeat != string(heartbeat) {
			// Changes take time, of the Master and of the clients that get them.
			if !m.allow(&m.loop.Verified, from, now) {
				return 0, false
			}
			r, game := m.read(heartbeat)
			switch {
			case game == nil:
				return 0, false
			case game != s.game: // the server has not proved that it has the new game's secret key
				isVerified = false
				return 0, false
			case r.identity.State == qr2.StateShutdown:
				m.unlistLocked(i)
				m.servers.Remove(i)
				hasStopped = true
				return 0, false
			}
			m.setLocked(i, game, &r, string(heartbeat))
			if s.place != unchecked {
				m.judgeLocked(i)
			}
		}
		m.heard++
		isUnchecked = s.place == unchecked
		return i, true
	})
	if hasStopped && m.Store != nil {
		m.Store.Remove(from)
	}
	return isVerified, isUnchecked
}

// touch keeps a server listed, and reports whether its address is verified.
func (m *Master) touch(from netip.AddrPort, key [4]byte, now time.Time) bool {
	return m.update(now, func() (int, bool) { return m.findVerified(from, key) })
}

// findVerified returns the number of the server with an address and an instance key.
func (m *Master) findVerified(from netip.AddrPort, key [4]byte) (i int, ok bool) {
	i, known := m.servers.Find(from)
	return i, known && m.servers.Value(i).key == key
}

// update calls find with the list locked. If find returns a server that is alive, update
// sets its expiry, puts it in the Store if that is due, and returns true.
func (m *Master) update(now time.Time, find func() (i int, isAlive bool)) bool {
	m.mu.Lock()
	m.expireLocked(now)
	i, isAlive := find()
	if !isAlive {
		m.mu.Unlock()
		return false
	}
	s := m.servers.Value(i)
	m.servers.SetDeadline(i, now.Add(Expiry))
	if m.Store == nil || s.place == unchecked || now.Sub(s.shared) < shareEvery {
		m.mu.Unlock()
		return true
	}
	s.shared = now
	e := m.entryLocked(i)
	m.mu.Unlock()
	m.Store.Put(e)
	return true
}

// register adds a server that answers a challenge, and reports whether the answer is
// right and there is room for the server.
func (m *Master) register(from netip.AddrPort, a *qr2.ChallengeAnswer, now time.Time) bool {
	return m.update(now, func() (i int, ok bool) {
		p := m.pending.get(from, now)
		if p == nil {
			return 0, false
		}
		if key, _ := qr2.PeekKey(p.heartbeat); key != a.Key {
			return 0, false
		}
		r, game := m.read(p.heartbeat)
		if !m.isRight(game, from, a.Text, now) {
			m.wrong.Add(1)
			return 0, false
		}
		p.from = netip.AddrPort{} // the answer is used up
		if i, ok = m.findOrAddLocked(from, now.Add(Expiry)); !ok {
			return 0, false
		}
		m.setLocked(i, game, &r, string(p.heartbeat))
		m.heard++
		if m.Unchecked || m.servers.Value(i).place != unchecked {
			m.judgeLocked(i)
		}
		return i, true
	})
}

// queryAnswered lists a server that answers a query of the Master. It reports whether
// the datagram is such an answer.
func (m *Master) queryAnswered(from netip.AddrPort, b []byte, now time.Time) (isAnswer bool) {
	m.update(now, func() (i int, isNew bool) {
		i, known := m.servers.Find(from)
		isAnswer = known && m.isQueryAnswer(from, b, now)
		if isNew = isAnswer && m.servers.Value(i).place == unchecked; isNew {
			m.judgeLocked(i)
		}
		return i, isNew
	})
	return isAnswer
}

// findOrAddLocked returns the number of a server, and adds it as unchecked if it is
// new. If there is no room for it, ok is false.
func (m *Master) findOrAddLocked(from netip.AddrPort, deadline time.Time) (i int, ok bool) {
	if i, ok = m.servers.Find(from); !ok {
		if i, ok = m.servers.Add(from, deadline); !ok {
			m.refused.Add(1)
			return 0, false
		}
		m.servers.Value(i).place = unchecked
	}
	return i, true
}

// setLocked replaces the report of server i.
func (m *Master) setLocked(i int, game *gameTable, r *report, heartbeat string) {
	s := m.servers.Value(i)
	if s.game != game {
		m.unlistLocked(i)
		s.game = game
	}
	l := m.newListing(i, r, heartbeat, s.listing)
	s.key = r.heartbeat.Key
	if s.place >= 0 {
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
		Withheld:  s.place == withheld,
	}
}

// Servers returns the servers that are listed or withheld, in no particular order.
// It does not block the Master, so it may miss servers that are added or removed
// during the iteration, and may yield a server twice if it is removed and added
// again.
func (m *Master) Servers() iter.Seq[Entry] {
	m.start()
	return registry.All(&m.servers, m.lock, func(i int) (Entry, bool) {
		if m.servers.Value(i).place == unchecked {
			return Entry{}, false
		}
		return m.entryLocked(i), true
	})
}
