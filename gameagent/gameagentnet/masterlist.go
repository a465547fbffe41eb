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
func (m *listMaster) Admits(t *locked, i int) bool { return m.Admit == nil || m.Admit(m.Entry(t, i)) }

// List adds server i to the native list and to the list of its game.
func (m *listMaster) List(t *locked, i int) {
	s := t.Value(i)
	query := t.Key(i)
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
func (m *listMaster) Unlist(t *locked, i int) {
	s := t.Value(i)
	if s.place != nowhere {
		t.Value(m.list.remove(int(s.place))).place = s.place
	}
	if s.in != nil {
		t.Value(s.in.owners.remove(int(s.gamePlace))).gamePlace = s.gamePlace
		s.in = nil
	}
}

// Entry returns server i.
func (m *listMaster) Entry(t *locked, i int) Entry {
	s := t.Value(i)
	e := Entry{
		Game:      gameagent.GameAddr(t.Key(i)),
		Seen:      t.Deadline(i).Add(-Expiry),
		Heartbeat: s.heartbeat,
		Status:    s.status,
		Synced:    s.synced,
		Withheld:  t.State(i) == registry.Withheld,
	}
	if s.status != "" {
		e.GameName = s.game.name
	}
	return e
}

// decide lists or withholds server i, as Admit decides, in the lists in which it
// should be now.
func (m *Master) decide(t *locked, i int) {
	s := t.Value(i)
	if t.State(i) == registry.Listed && ((s.place != nowhere) != s.isNative() || s.in != s.game) {
		t.Hide(i)
	}
	t.Decide(i)
}

// isVerified reports whether the server at a source address is listed or withheld:
// in the native form because it has returned a challenge since it joined, in the
// legacy form because it has answered a query.
func (m *Master) isVerified(from netip.AddrPort, now time.Time) (native, legacy bool) {
	m.servers.Do(now, func(t *locked) {
		i, known := t.Find(from)
		if known && t.State(i) != registry.Hidden {
			s := t.Value(i)
			native, legacy = s.heartbeat != "", s.status != ""
		}
	})
	return native, legacy
}

// hide removes a server from the list until it returns a challenge. Because the join
// may be forged, it does so only every hideEvery. A server that has answered a query
// in the legacy form stays listed, because it need not answer challenges.
func (m *Master) hide(from netip.AddrPort, now time.Time) {
	m.servers.Update(from, now, false, func(t *locked, i int) registry.Outcome {
		s := t.Value(i)
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
	verified = m.servers.Update(from, now, false, func(t *locked, i int) registry.Outcome {
		known = true
		if t.State(i) == registry.Hidden || t.Value(i).heartbeat == "" {
			return registry.Ignore
		}
		return m.noteHeartbeat(t, i, heartbeat, now)
	})
	return known, verified
}

// enlist lists a server whose address is verified.
func (m *Master) enlist(from netip.AddrPort, heartbeat []byte, now time.Time) {
	m.servers.Update(from, now, true, func(t *locked, i int) registry.Outcome {
		return m.noteHeartbeat(t, i, heartbeat, now)
	})
}

// noteHeartbeat keeps a heartbeat of a server, which is then listed or withheld.
func (m *Master) noteHeartbeat(t *locked, i int, heartbeat []byte, now time.Time) registry.Outcome {
	s := t.Value(i)
	m.heard++
	s.synced = false
	if clock := m.servers.Clock(now); clock-s.proved >= proveEvery {
		s.proved = clock
		m.loop.Proven.Add(t.Key(i).Addr(), now)
	}
	if news := s.heartbeat != string(heartbeat); news || t.State(i) == registry.Hidden {
		if news {
			m.setHeartbeat(t, i, string(heartbeat))
		}
		t.SetDeadline(i, now.Add(Expiry)) // for Admit
		m.decide(t, i)
	}
	return registry.Keep
}

// setHeartbeat sets the native heartbeat of a server. If the server is not
// listed in either form yet, it also sets the game.
func (m *Master) setHeartbeat(t *locked, i int, heartbeat string) {
	s := t.Value(i)
	s.heartbeat = heartbeat
	if t.State(i) == registry.Hidden && s.status == "" {
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
	m.servers.Merge(from, e.Seen, func(t *locked, i int) {
		s := t.Value(i)
		if g == nil {
			e.Status = ""
		}
		if t.State(i) != registry.Hidden { // keep what this node knows of the other form
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
		m.setHeartbeat(t, i, e.Heartbeat)
		m.decide(t, i)
	})
}
