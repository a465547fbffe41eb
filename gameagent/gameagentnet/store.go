package gameagentnet

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
)

// A Store is by what a [Master] shares its list with other nodes, each of which
// has a Master with a Store of its own. Every Master has the whole list in memory
// and answers from that, so a Store is never asked: it is told what changes here,
// and tells what changes elsewhere.
//
// Put and Remove are called between datagrams and from many goroutines, so they
// must not block; a Store that has to wait for a network queues what it is told.
// Should something get lost, lists agree again when the next heartbeats come. A
// server gets its challenge from one node and must send it back to the same.
//
// What Admit withholds is shared like the rest, and each node asks its own Admit:
// Withheld means nothing to others.
type Store interface {
	// Put is told of a server that is listed from now on, or is heard of, and
	// of that again after 30 seconds at the earliest. A server is gone when
	// nothing is put for [Expiry] after e.Seen, which nobody is told.
	Put(e Entry)

	// Remove is told of a server that is listed no more though its time is not
	// up: it has joined again.
	Remove(game netip.AddrPort)

	// Watch calls put for every server that other nodes have listed, then put
	// and remove as they do, from any goroutine, until stop is called. What
	// a node has told itself should not come back to it. The Master calls stop,
	// maybe several times, from Shutdown and Close.
	Watch(put func(e Entry), remove func(game netip.AddrPort)) (stop func())
}

// shareEvery is how often at most a Store is told that a server is still there.
const shareEvery = 30 * time.Second

// An Entry is a server that is listed or withheld. All are verified: each has
// shown this node, or the one it has joined, that it receives what is sent to its
// address. That says nothing of Heartbeat.
type Entry struct {
	Game      netip.AddrPort // as it is listed; queries go to the port above
	Seen      time.Time      // when its last heartbeat came
	Heartbeat string         // the last, as it came; see Parse
	Withheld  bool           // from the list, as Admit did not admit it when last asked
}

// Parse reads the heartbeat. Nobody has looked at it, so it may be none.
func (e Entry) Parse() (gameagent.Heartbeat, error) {
	return gameagent.ParseHeartbeat([]byte(e.Heartbeat))
}

// put lists what another node has listed. What cannot be is passed over.
func (m *Master) put(e Entry) {
	now := time.Now()
	game := unmap(e.Game)
	from := sourceOf(game)
	age := max(now.Sub(e.Seen), 0) // clocks differ
	if game.Port() == 0 || !listable(from) || len(e.Heartbeat) > gameagent.MaxHeartbeat || age > Expiry {
		return
	}
	deadline := now.Add(Expiry - age)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expireLocked(now)
	if i, known := m.servers.Find(from); known && deadline.Before(m.servers.Deadline(i)) {
		return
	}
	i, ok := m.findOrAddLocked(from, deadline)
	if !ok {
		return
	}
	m.servers.SetDeadline(i, deadline)
	if s := m.servers.Value(i); s.place == hidden || s.heartbeat != e.Heartbeat {
		s.heartbeat = e.Heartbeat
		m.judgeLocked(i)
	}
}

// remove takes what another node has taken from the list.
func (m *Master) remove(game netip.AddrPort) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i, ok := m.servers.Find(sourceOf(unmap(game))); ok {
		m.unlistLocked(i)
		m.servers.Remove(i)
	}
}
