package bombermannet

import (
	"context"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

// A Store shares the list of a [ManagementServer] with other nodes.
//
// Put and Remove are called one at a time, between the messages of game servers. Put is
// called for a game server that is new in the list or has changed, at most once a second
// for each connection and 1000 times a second in total, and again every 30 seconds while
// its connection lasts. Remove is called once when the game server leaves the list. If a
// node fails, its game servers expire without a call of Remove: there is no further Put
// within [Expiry] after their Seen.
//
// The ManagementServer calls Watch when it is first used, and stop from Shutdown and
// Close. The keys are those of Entry.ID.
type Store = lobbywire.Store[Entry, uint64]

// An Entry is a game server that is listed or withheld.
type Entry struct {
	ID       uint64 // random, for its connection; the same on all nodes
	Server   bomberman.Server
	From     netip.AddrPort // peer of the connection; not valid if it is not over TCP
	Seen     time.Time      // when its connection was last known to be open
	Withheld bool           // Admit withholds the game server from the list
}

// Expiry is how long a game server of another node stays listed without a Put.
const Expiry = 100 * time.Second

// Intervals and limits of Put.
const (
	shareEvery    = 30 * time.Second // for a listed game server that has not changed
	putEvery      = time.Second      // minimum for each connection
	putsPerSecond = 1000             // in total
)

// tell changes a member by calling change, and reports the change to the Store if
// the member is listed before or after.
func (m *ManagementServer) tell(s *member, change func()) {
	m.telling.Lock()
	defer m.telling.Unlock()
	m.mu.Lock()
	change()
	is := s.in != nil
	m.mu.Unlock()
	switch {
	case m.Store == nil:
	case is:
		if now := time.Now(); m.outbox.Offer(s, s.shared, now) {
			m.putIn(s, now)
		}
		m.outbox.Later(m.putWaiting)
	case s.told:
		s.told = false
		m.Store.Remove(s.ID)
	}
}

// putIn puts a listed member in the Store. telling is locked.
func (m *ManagementServer) putIn(s *member, now time.Time) {
	m.mu.Lock()
	e := s.now()
	s.told, s.shared = true, now
	m.mu.Unlock()
	m.Store.Put(e)
}

// putWaiting puts the members in the Store that have waited.
func (m *ManagementServer) putWaiting() {
	m.telling.Lock()
	defer m.telling.Unlock()
	now := time.Now()
	m.mu.Lock()
	due := m.outbox.Due(now, func(s *member) (time.Time, bool) { return s.shared, s.in != nil })
	m.mu.Unlock()
	for _, s := range due {
		m.putIn(s, now)
	}
	m.outbox.Later(m.putWaiting)
}

// share puts the game servers of this node in the Store at intervals, and removes those
// of nodes that have failed, until ctx is done. Every Serve calls it.
func (m *ManagementServer) share(ctx context.Context) {
	tick := time.NewTicker(shareEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			for _, s := range m.old(now) {
				m.tell(s, func() {})
			}
		}
	}
}

// old removes members that have expired. It returns those of this node that the Store
// has not received for long.
func (m *ManagementServer) old(now time.Time) (here []*member) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.members {
		switch {
		case s.away && now.Sub(s.Seen) > Expiry:
			m.removeLocked(s)
		case !s.away && now.Sub(s.shared) >= shareEvery/2:
			here = append(here, s)
		}
	}
	return here
}

// put lists a game server that another node has listed. It ignores invalid entries.
func (m *ManagementServer) put(e Entry) {
	e.Server.Extra, e.Server.Players.Extra = nil, nil
	encoded, err := encode(e.Server)
	now := time.Now()
	if e.Seen.After(now) {
		e.Seen = now // clocks differ
	}
	if err != nil || len(encoded) > maxEntry || now.Sub(e.Seen) > Expiry {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.members[e.ID]
	switch {
	case s == nil:
		if s = (&member{Entry: Entry{ID: e.ID}, away: true}); !m.addLocked(s) {
			return
		}
	case !s.away || e.Seen.Before(s.Seen):
		return
	}
	e.Withheld, e.Server = s.Withheld, compacted(e.Server)
	s.Entry = e
	m.listLocked(s, encoded)
}

// remove removes a game server that another node has removed.
func (m *ManagementServer) remove(id uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.members[id]; s != nil && s.away {
		m.removeLocked(s)
	}
}
