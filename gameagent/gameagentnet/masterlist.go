package gameagentnet

import (
	"cmp"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// isNative reports whether the native list may have the server. It does not get a server
// that uses only the legacy form and whose game does not have Native.
func (s *registered) isNative() bool { return s.heartbeat != "" || s.game.Native }

// A listMaster is a Master as its servers need it.
type listMaster Master

// Admits reports whether the lists have a server.
func (m *listMaster) Admits(i int) bool { return m.Admit == nil || m.Admit(m.Entry(i)) }

// List adds server i to the native list and to the list of its game.
func (m *listMaster) List(i int) {
	s := m.servers.Value(i)
	query := m.servers.Key(i)
	s.place = nowhere
	if s.isNative() {
		s.place = int32(m.list.add((*Master)(m).public(gameagent.GameAddr(query)), i))
	}
	if s.game != nil {
		if place, ok := s.game.add(query, i); ok {
			s.in, s.gamePlace = s.game, int32(place)
		}
	}
}

// Unlist removes server i from the lists.
func (m *listMaster) Unlist(i int) {
	s := m.servers.Value(i)
	if s.place != nowhere {
		m.servers.Value(m.list.remove(int(s.place))).place = s.place
	}
	if s.in != nil {
		m.servers.Value(s.in.owners.remove(int(s.gamePlace))).gamePlace = s.gamePlace
		s.in = nil
	}
}

// Entry returns server i.
func (m *listMaster) Entry(i int) Entry {
	s := m.servers.Value(i)
	e := Entry{
		Game:      gameagent.GameAddr(m.servers.Key(i)),
		Seen:      m.servers.Deadline(i).Add(-Expiry),
		Heartbeat: s.heartbeat,
		Status:    s.status,
		Synced:    s.synced,
		Withheld:  m.servers.State(i) == registry.Withheld,
	}
	if s.status != "" {
		e.GameName = s.game.name
	}
	return e
}

// judgeLocked lists or withholds server i, as Admit decides, in the lists in which it
// should be now.
func (m *Master) judgeLocked(i int) {
	s := m.servers.Value(i)
	if m.servers.State(i) == registry.Listed && ((s.place != nowhere) != s.isNative() || s.in != s.game) {
		m.servers.Hide(i)
	}
	m.servers.Judge(i)
}

// isVerified reports whether the server at a source address is listed or withheld:
// in the native form because it has returned a challenge since it joined, in the
// legacy form because it has answered a query.
func (m *Master) isVerified(from netip.AddrPort, now time.Time) (native, legacy bool) {
	m.servers.Lock(now)
	defer m.servers.Unlock()
	i, known := m.servers.Find(from)
	if !known || m.servers.State(i) == registry.Hidden {
		return false, false
	}
	s := m.servers.Value(i)
	return s.heartbeat != "", s.status != ""
}

// hide removes a server from the list until it returns a challenge. Because the join
// may be forged, it does so only every hideEvery. A server that has answered a query
// in the legacy form stays listed, because it need not answer challenges.
func (m *Master) hide(from netip.AddrPort, now time.Time) {
	m.servers.Update(from, now, false, func(i int) registry.Outcome {
		s := m.servers.Value(i)
		if s.status != "" || m.servers.Clock(now)-s.hid < hideEvery {
			return registry.Ignore
		}
		s.hid = m.servers.Clock(now)
		return registry.Hide
	})
}

// refresh reports whether a server is known and verified, and if so stores its
// heartbeat.
func (m *Master) refresh(from netip.AddrPort, heartbeat []byte, now time.Time) (known, verified bool) {
	verified = m.servers.Update(from, now, false, func(i int) registry.Outcome {
		known = true
		if m.servers.State(i) == registry.Hidden || m.servers.Value(i).heartbeat == "" {
			return registry.Ignore
		}
		return m.heardLocked(i, heartbeat, now)
	})
	return known, verified
}

// enlist lists a server whose address is verified.
func (m *Master) enlist(from netip.AddrPort, heartbeat []byte, now time.Time) {
	m.servers.Update(from, now, true, func(i int) registry.Outcome { return m.heardLocked(i, heartbeat, now) })
}

// heardLocked keeps a heartbeat of a server, which is then listed or withheld.
func (m *Master) heardLocked(i int, heartbeat []byte, now time.Time) registry.Outcome {
	s := m.servers.Value(i)
	m.heard++
	s.synced = false
	if clock := m.servers.Clock(now); clock-s.proved >= proveEvery {
		s.proved = clock
		m.loop.Proven.Add(m.servers.Key(i).Addr(), now)
	}
	if news := s.heartbeat != string(heartbeat); news || m.servers.State(i) == registry.Hidden {
		if news {
			m.setHeartbeatLocked(i, string(heartbeat))
		}
		m.servers.SetDeadline(i, now.Add(Expiry)) // for Admit
		m.judgeLocked(i)
	}
	return registry.Keep
}

// setHeartbeatLocked sets the native heartbeat of a server. If the server is not
// listed in either form yet, it also sets the game.
func (m *Master) setHeartbeatLocked(i int, heartbeat string) {
	s := m.servers.Value(i)
	s.heartbeat = heartbeat
	if m.servers.State(i) == registry.Hidden && s.status == "" {
		s.game = m.game(product(heartbeat))
	}
}

// product returns the game of a native heartbeat. An invalid one has none.
func product(heartbeat string) string {
	h, _ := gameagent.ParseHeartbeat([]byte(heartbeat))
	return h.Product
}

// put lists a server that another node has listed. It ignores invalid entries.
func (m *Master) put(e Entry) {
	from := sourceOf(e.Game)
	g := m.game(e.GameName)
	if e.Game.Port() == 0 || !listable(from) || len(e.Heartbeat) > gameagent.MaxHeartbeat ||
		len(e.Status) > gameagent.MaxPacket || e.Heartbeat == "" && (e.Status == "" || g == nil) {
		return
	}
	m.servers.Merge(from, e.Seen, func(i int) {
		s := m.servers.Value(i)
		if g == nil {
			e.Status = ""
		}
		if m.servers.State(i) != registry.Hidden { // keep what this node knows of the other form
			e.Synced = e.Synced && s.synced
			e.Heartbeat = cmp.Or(e.Heartbeat, s.heartbeat)
			if e.Status == "" {
				e.Status, g = s.status, s.game
			}
			if s.heartbeat == e.Heartbeat && s.status == e.Status && s.game == g {
				s.synced = e.Synced
				return
			}
		}
		s.status, s.game, s.synced = e.Status, g, e.Synced
		m.setHeartbeatLocked(i, e.Heartbeat)
		m.judgeLocked(i)
	})
}
