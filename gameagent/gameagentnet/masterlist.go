package gameagentnet

import (
	"iter"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/registry"
)

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

// unlistLocked hides server i.
func (m *Master) unlistLocked(i int) {
	s := m.servers.Value(i)
	switch s.place {
	case hidden:
	case withheld:
		m.withheld--
	case elsewhere:
		m.listed--
	default:
		m.listed--
		m.servers.Value(m.list.remove(int(s.place))).place = s.place
	}
	s.place = hidden
	if s.in != nil {
		m.servers.Value(s.in.owners.remove(int(s.gamePlace))).gamePlace = s.gamePlace
		s.in = nil
	}
}

// listLocked lists server i, which must be in no list, in the list of its game and in
// the native list. The latter does not get a server that uses only the legacy form and
// whose game does not have Native.
func (m *Master) listLocked(i int) {
	s := m.servers.Value(i)
	query := m.servers.Addr(i)
	m.listed++
	s.place = elsewhere
	if s.heartbeat != "" || s.game.Native {
		s.place = int32(m.list.add(gameagent.GameAddr(query), i))
	}
	if s.game != nil {
		if place, ok := s.game.add(query, i); ok {
			s.in, s.gamePlace = s.game, int32(place)
		}
	}
}

// isVerified reports whether the server at a source address is listed or withheld:
// in the native form because it has returned a challenge since it joined, in the
// legacy form because it has answered a query.
func (m *Master) isVerified(from netip.AddrPort, now time.Time) (native, legacy bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expireLocked(now)
	i, known := m.servers.Find(from)
	if !known || m.servers.Value(i).place == hidden {
		return false, false
	}
	s := m.servers.Value(i)
	return s.heartbeat != "", s.status != ""
}

// hide removes a server from the list until it returns a challenge. Because the join
// may be forged, it does so only every hideEvery. A server that has answered a query
// in the legacy form stays listed, because it need not answer challenges.
func (m *Master) hide(from netip.AddrPort, now time.Time) {
	m.mu.Lock()
	i, known := m.servers.Find(from)
	if !known || m.servers.Value(i).status != "" || m.clock(now)-m.servers.Value(i).hid < hideEvery {
		m.mu.Unlock()
		return
	}
	m.unlistLocked(i)
	m.servers.Value(i).hid = m.clock(now)
	m.mu.Unlock()
	if m.Store != nil {
		m.Store.Remove(gameagent.GameAddr(from))
	}
}

// refresh reports whether a server is known and verified, and if so stores its
// heartbeat.
func (m *Master) refresh(from netip.AddrPort, heartbeat []byte, now time.Time) (known, verified bool) {
	m.mu.Lock()
	m.expireLocked(now)
	i, known := m.servers.Find(from)
	if !known || m.servers.Value(i).place == hidden || m.servers.Value(i).heartbeat == "" {
		m.mu.Unlock()
		return known, false
	}
	m.heardLocked(i, heartbeat, now)
	m.unlockAndShare(i, now)
	return true, true
}

// enlist lists a server whose address is verified.
func (m *Master) enlist(from netip.AddrPort, heartbeat []byte, now time.Time) {
	m.mu.Lock()
	i, ok := m.findOrAddLocked(from, now.Add(Expiry))
	if !ok {
		m.mu.Unlock()
		return
	}
	if s := m.servers.Value(i); s.place == hidden {
		s.shared = 0 // the Store does not have the server
	}
	m.heardLocked(i, heartbeat, now)
	m.unlockAndShare(i, now)
}

// findOrAddLocked returns the number of a server, and adds it as hidden if it
// is new. If there is no room for it, ok is false.
func (m *Master) findOrAddLocked(from netip.AddrPort, deadline time.Time) (i int, ok bool) {
	if i, ok = m.servers.Find(from); !ok {
		if i, ok = m.servers.Add(from, deadline); !ok {
			m.refused.Add(1)
			return 0, false
		}
		m.servers.Value(i).place = hidden
	}
	return i, true
}

// heardLocked keeps a heartbeat of a server, which is then listed or withheld.
func (m *Master) heardLocked(i int, heartbeat []byte, now time.Time) {
	s := m.servers.Value(i)
	m.servers.SetDeadline(i, now.Add(Expiry))
	m.heard++
	s.synced = false
	if news := s.heartbeat != string(heartbeat); news || s.place == hidden {
		if news {
			m.setHeartbeatLocked(s, string(heartbeat))
		}
		m.judgeLocked(i)
	}
}

// setHeartbeatLocked sets the native heartbeat of a server. If the server is not
// listed in either form yet, it also sets the game.
func (m *Master) setHeartbeatLocked(s *registered, heartbeat string) {
	s.heartbeat = heartbeat
	if s.place == hidden && s.status == "" {
		h, _ := gameagent.ParseHeartbeat([]byte(heartbeat)) // an invalid one has no game
		s.game = m.games[h.Product]
	}
}

// unlockAndShare unlocks the list, and puts server i in the Store if that is due.
func (m *Master) unlockAndShare(i int, now time.Time) {
	s := m.servers.Value(i)
	if m.Store == nil || m.clock(now)-s.shared < shareEvery {
		m.mu.Unlock()
		return
	}
	s.shared = m.clock(now)
	e := m.entryLocked(i)
	m.mu.Unlock()
	m.Store.Put(e)
}

// entryLocked returns server i.
func (m *Master) entryLocked(i int) Entry {
	s := m.servers.Value(i)
	e := Entry{
		Game:      gameagent.GameAddr(m.servers.Addr(i)),
		Seen:      m.servers.Deadline(i).Add(-Expiry),
		Heartbeat: s.heartbeat,
		Status:    s.status,
		Synced:    s.synced,
		Withheld:  s.place == withheld,
	}
	if s.status != "" {
		e.GameName = s.game.name
	}
	return e
}

// sourceOf returns the address from which the server of a game sends: it is the inverse
// of [gameagent.GameAddr].
func sourceOf(game netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(game.Addr(), game.Port()+1)
}

// Servers returns the servers that are listed or withheld, in no particular order.
// It does not block the Master, so it may miss servers that are added or removed
// during the iteration, and may yield a server twice if it is removed and added
// again.
func (m *Master) Servers() iter.Seq[Entry] {
	m.start()
	return registry.All(&m.servers, m.lock, func(i int) (Entry, bool) {
		if m.servers.Value(i).place == hidden {
			return Entry{}, false
		}
		return m.entryLocked(i), true
	})
}
