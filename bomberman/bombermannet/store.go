package bombermannet

import (
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/bomberman"
)

// A Store is by what a [ManagementServer] shares its list with other nodes, each
// of which has one with a Store of its own. Every node has the whole list in
// memory and answers from that, so a Store is never asked: it is told what
// changes here, and tells what changes elsewhere.
//
// Put and Remove are called one at a time, between the messages of game
// servers, so they must not block; a Store that has to wait for a network
// queues what it is told. Should something get lost, lists agree again with the
// next Put.
//
// What Admit withholds is shared like the rest, and each node asks its own Admit:
// Withheld means nothing to others.
type Store interface {
	// Put is told of a game server that is listed from now on, or has changed,
	// and again every 30 seconds as long as its connection lasts. It is gone
	// when nothing is put for [Expiry] after e.Seen, which nobody is told: its
	// node has died.
	Put(e Entry)

	// Remove is told of a game server that is listed no more.
	Remove(id uint64)

	// Watch calls put for every game server that other nodes have listed, then
	// put and remove as they do, from any goroutine, until stop is called. What
	// a node has told itself should not come back to it. The ManagementServer
	// calls stop, maybe several times, from Shutdown and Close.
	Watch(put func(e Entry), remove func(id uint64)) (stop func())
}

// An Entry is a game server that is listed or withheld.
type Entry struct {
	ID       uint64 // of its connection, by chance, on all nodes
	Server   bomberman.Server
	From     netip.AddrPort // peer of the connection, invalid if it is none of TCP
	Seen     time.Time      // when its node last had its connection
	Withheld bool           // from the list, as Admit did not admit it when last asked
}

// Expiry is how long a game server of another node stays listed of which
// nothing is heard.
const Expiry = 100 * time.Second

// shareEvery is how often a Store is told that a game server is still there.
const shareEvery = 30 * time.Second

// newMember returns a game server of a connection of this node.
func newMember(from netip.AddrPort) *member {
	return &member{Entry: Entry{ID: rand.Uint64(), From: from}}
}

// tell changes what a member is, which change does, and tells the Store if it
// is listed then, or was. Calls for one member must not overlap.
func (m *ManagementServer) tell(s *member, change func()) {
	if m.Store == nil {
		m.mu.Lock()
		change()
		m.mu.Unlock()
		return
	}
	m.telling.Lock()
	defer m.telling.Unlock()
	m.mu.Lock()
	was := s.on != nil
	change()
	is := s.on != nil
	e := s.now()
	m.mu.Unlock()
	switch {
	case is:
		m.Store.Put(e)
	case was:
		m.Store.Remove(e.ID)
	}
}

// A sharing is the goroutine that runs share.
type sharing struct {
	stop  chan struct{} // closed to end it
	ended chan struct{} // closed by it
}

// startSharing is called when a Serve begins, stopSharing when it ends: in
// between, one goroutine shares.
func (m *ManagementServer) startSharing() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.serving++; m.serving == 1 {
		s := sharing{make(chan struct{}), make(chan struct{})}
		m.sharing = s
		go func() {
			defer close(s.ended)
			m.share(s.stop)
		}()
	}
}

func (m *ManagementServer) stopSharing() {
	m.mu.Lock()
	m.serving--
	last, s := m.serving == 0, m.sharing
	m.mu.Unlock()
	if last {
		close(s.stop)
		<-s.ended
	}
}

// share tells the Store from time to time what there is here, and forgets what
// nodes that have died had, until stop is closed.
func (m *ManagementServer) share(stop <-chan struct{}) {
	tick := time.NewTicker(shareEvery)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case now := <-tick.C:
			for _, s := range m.old(now) {
				m.repeat(s)
			}
		}
	}
}

// old removes members that have expired and returns those of this node.
func (m *ManagementServer) old(now time.Time) []*member {
	m.mu.Lock()
	defer m.mu.Unlock()
	var here []*member
	for id, s := range m.members {
		switch {
		case !s.away:
			here = append(here, s)
		case now.Sub(s.Seen) > Expiry:
			m.list.unset(s)
			delete(m.members, id)
		}
	}
	return here
}

// repeat tells the Store of a member that is still there.
func (m *ManagementServer) repeat(s *member) {
	m.telling.Lock()
	defer m.telling.Unlock()
	m.mu.Lock()
	e, known := s.now(), s.on != nil
	m.mu.Unlock()
	if known {
		m.Store.Put(e)
	}
}

// put lists what another node has listed. What cannot be is passed over.
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
	e.Withheld = s.Withheld
	s.Entry = e
	m.listLocked(s, encoded)
}

// remove takes off the list what another node has.
func (m *ManagementServer) remove(id uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.members[id]; s != nil && s.away {
		m.list.unset(s)
		delete(m.members, id)
	}
}
