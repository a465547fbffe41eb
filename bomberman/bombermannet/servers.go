package bombermannet

import (
	"bytes"
	"time"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// A listServer is a ManagementServer as its game servers need it.
type listServer ManagementServer

// Admits reports whether the list has a game server.
func (m *listServer) Admits(i int) bool { return m.Admit == nil || m.Admit(m.Entry(i)) }

// Entry returns game server i.
func (m *listServer) Entry(i int) Entry {
	s := m.servers.Value(i)
	e := Entry{
		ID: m.servers.Key(i), Server: s.server, From: s.from, Seen: s.seen,
		Withheld: m.servers.State(i) == registry.Withheld,
	}
	if e.Seen.IsZero() {
		e.Seen = time.Now()
	}
	return e
}

// List adds game server i to the list.
func (m *listServer) List(i int) {
	s := m.servers.Value(i)
	g := m.list.groupOf(s)
	s.place = g.add(i)
	g.write(s.place, m.encoded)
	m.listedAt(i)
}

// Unlist removes game server i from the list.
func (m *listServer) Unlist(i int) {
	s := m.servers.Value(i)
	g := m.list.groupOf(s)
	moved, from := g.remove(s.place)
	m.servers.Value(moved).place = s.place
	if s.place/perPage != from/perPage {
		g.write(s.place, m.encoded)
	}
	g.write(from, m.encoded)
	m.unlistedAt(i)
}

// encoded returns the entry of game server i in the list.
func (m *listServer) encoded(i int) []byte { return m.servers.Value(i).encoded }

// setLocked changes game server i, and its entry in the list if it is listed. Judge must
// follow.
func (m *ManagementServer) setLocked(i int, to bomberman.Server, encoded []byte) {
	s := m.servers.Value(i)
	moves := s.server.Address != to.Address || s.server.Port != to.Port
	if m.servers.State(i) == registry.Listed && (moves || s.server.IsLobbyOpen != to.IsLobbyOpen) {
		m.servers.Hide(i) // its endpoint or its group changes
	}
	same := bytes.Equal(s.encoded, encoded)
	s.server, s.encoded = to, encoded
	if m.servers.State(i) == registry.Listed && !same {
		m.list.groupOf(s).write(s.place, (*listServer)(m).encoded)
	}
}

// remove removes a game server whose connection has ended.
func (m *ManagementServer) remove(id uint64) {
	m.servers.Update(id, time.Now(), false, func(int) registry.Outcome { return registry.Remove })
}

// removeEnded removes the game servers that stayed listed until all connections had ended.
func (m *ManagementServer) removeEnded() {
	m.servers.Lock(time.Now())
	all := m.ended
	m.ended = nil
	m.servers.Unlock()
	for _, id := range all {
		m.remove(id)
	}
}

// put lists a game server that another node has listed. It ignores invalid entries.
func (m *ManagementServer) put(e Entry) {
	e.Server.Extra, e.Server.Players.Extra = nil, nil
	encoded, err := m.encode(e.Server)
	if err != nil {
		return
	}
	if now := time.Now(); e.Seen.After(now) {
		e.Seen = now // clocks differ
	}
	m.servers.Merge(e.ID, e.Seen, func(i int) {
		s := m.servers.Value(i)
		if s.from.Addr() != e.From.Addr() {
			m.servers.Hide(i) // its endpoint changes
		}
		s.from, s.seen = e.From, e.Seen
		m.setLocked(i, compacted(e.Server), encoded)
		if e.From.IsValid() {
			(*listServer)(m).claimElsewhere(i)
		} else {
			m.servers.Judge(i)
		}
	})
}
