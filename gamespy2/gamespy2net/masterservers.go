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

// expireAtOnce bounds the time that a request takes: if more servers expire at
// once, for example after a network failure, the following requests remove the
// others.
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
		s.place = s.game.add(s.listing, i)
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
	m.mu.Lock()
	i, ok := m.verifiedLocked(from, key, now)
	if !ok {
		m.mu.Unlock()
		return false, false
	}
	s := m.servers.Value(i)
	if s.listing.heartbeat != string(heartbeat) {
		// Changes take time, of the Master and of the clients that get them.
		if !m.allow(&m.loop.Verified, from, now) {
			m.mu.Unlock()
			return true, false
		}
		r, game := m.read(heartbeat)
		switch {
		case game == nil:
			m.mu.Unlock()
			return true, false
		case game != s.game: // the server has not proved that it has the new game's secret key
			m.mu.Unlock()
			return false, false
		case r.identity.State == qr2.StateShutdown:
			m.unlistLocked(i)
			m.servers.Remove(i)
			m.mu.Unlock()
			if m.Store != nil {
				m.Store.Remove(from)
			}
			return true, false
		}
		m.setLocked(i, game, &r, string(heartbeat))
		if s.place != unchecked {
			m.judgeLocked(i)
		}
	}
	m.heard++
	isUnchecked = s.place == unchecked
	m.touchAndUnlock(i, now)
	return true, isUnchecked
}

// touch keeps a server listed, and reports whether its address is verified.
func (m *Master) touch(from netip.AddrPort, key [4]byte, now time.Time) bool {
	m.mu.Lock()
	i, ok := m.verifiedLocked(from, key, now)
	if !ok {
		m.mu.Unlock()
		return false
	}
	m.touchAndUnlock(i, now)
	return true
}

// verifiedLocked returns the number of the server with an address, if that is verified
// and the instance key is that of the server.
func (m *Master) verifiedLocked(from netip.AddrPort, key [4]byte, now time.Time) (i int, ok bool) {
	m.expireLocked(now)
	i, known := m.servers.Find(from)
	return i, known && m.servers.Value(i).key == key
}

// touchAndUnlock notes that server i is alive, unlocks the list, and puts the server in
// the Store if that is due.
func (m *Master) touchAndUnlock(i int, now time.Time) {
	s := m.servers.Value(i)
	m.servers.SetDeadline(i, now.Add(Expiry))
	if m.Store == nil || s.place == unchecked || now.Sub(s.shared) < shareEvery {
		m.mu.Unlock()
		return
	}
	s.shared = now
	e := m.entryLocked(i)
	m.mu.Unlock()
	m.Store.Put(e)
}

// An answerKind is the result of checking an answer to a challenge.
type answerKind int

const (
	answerUnused answerKind = iota // there is no heartbeat for it, or no room for the server
	answerWrong
	answerRight
)

// register adds the server that answers a challenge.
func (m *Master) register(from netip.AddrPort, a *qr2.ChallengeAnswer, now time.Time) answerKind {
	m.mu.Lock()
	heartbeat := m.pending.get(from, now)
	if key, ok := qr2.PeekKey(heartbeat); !ok || key != a.Key {
		m.mu.Unlock()
		return answerUnused
	}
	r, game := m.read(heartbeat)
	if !m.isRight(game, from, a.Text, now) {
		m.mu.Unlock()
		return answerWrong
	}
	m.pending.remove(from)
	m.expireLocked(now)
	i, ok := m.findOrAddLocked(from, now.Add(Expiry))
	if !ok {
		m.mu.Unlock()
		return answerUnused
	}
	m.setLocked(i, game, &r, string(heartbeat))
	m.heard++
	if m.Unchecked || m.servers.Value(i).place != unchecked {
		m.judgeLocked(i)
	}
	m.touchAndUnlock(i, now)
	return answerRight
}

// queryAnswered lists a server that answers a query of the Master. It reports whether
// the datagram is such an answer.
func (m *Master) queryAnswered(from netip.AddrPort, b []byte, now time.Time) bool {
	m.mu.Lock()
	i, known := m.servers.Find(from)
	isAnswer := known && m.isQueryAnswer(from, b, now)
	if !isAnswer || m.servers.Value(i).place != unchecked {
		m.mu.Unlock()
		return isAnswer
	}
	m.judgeLocked(i)
	m.touchAndUnlock(i, now)
	return true
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
	l := m.newListing(m.servers.Addr(i), r, heartbeat, s.listing)
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
