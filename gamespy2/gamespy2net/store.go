package gamespy2net

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

// A Store shares the list of a [Master] with other nodes. Each node has a Master
// with a Store of its own, holds the whole list in memory and answers from there. A
// Store passes on changes in both directions; it is never queried.
//
// Put and Remove are called between datagrams and from several goroutines, so they
// must not block; a Store that waits for a network needs a queue. If a change is
// lost, the lists agree again after the next heartbeats. A server must return its
// challenge to the node that sent it.
//
// Withheld servers are shared like the others, and each node uses its own Admit: it
// ignores Withheld of other nodes. It ignores servers of games that it does not have.
type Store interface {
	// Put is called for a server that is new in the list, and for heartbeats of
	// listed servers, at most every 30 seconds for each. A server without a Put for
	// [Expiry] after e.Seen is gone without a call of Remove.
	Put(e Entry)

	// Remove is called for a server that is no longer listed although its time is
	// not up, because it has stopped.
	Remove(addr netip.AddrPort)

	// Watch calls put for every server that other nodes have listed, then put and
	// remove for their changes, from any goroutine, until stop is called. It
	// should leave out the changes of this node. The Master calls stop, possibly
	// several times, from Shutdown and Close.
	Watch(put func(e Entry), remove func(addr netip.AddrPort)) (stop func())
}

// shareEvery is the least time between two calls of Put for a listed server.
const shareEvery = 30 * time.Second

// An Entry is a server that is listed or withheld. Its address is verified: it has
// answered a challenge of this node or of the one that it registered at. Heartbeat is
// not verified.
type Entry struct {
	Game      string         // name of the game
	Addr      netip.AddrPort // of the query port, which heartbeats come from
	Seen      time.Time      // of the last heartbeat or keepalive
	Heartbeat string         // the last one in its wire form; see Parse
	Withheld  bool           // whether Admit last withheld it from the list
}

// Parse parses the heartbeat.
func (e Entry) Parse() (qr2.Heartbeat, error) { return qr2.ParseHeartbeat([]byte(e.Heartbeat)) }

// View returns the server of the heartbeat in the common form, as [qr2.Heartbeat.View] does.
// Host is that of Addr.
func (e Entry) View() lobbywire.View {
	m, _ := e.Parse() // without keys, if it fails
	v := m.View()
	v.Host = e.Addr.Addr().String()
	return v
}

// put lists a server that another node has listed. It ignores invalid entries.
func (m *Master) put(e Entry) {
	now := time.Now()
	from := unmap(e.Addr)
	age := max(now.Sub(e.Seen), 0) // clocks differ
	if !listable(from) || len(e.Heartbeat) > qr2.MaxHeartbeat || age > Expiry {
		return
	}
	r, game := m.read([]byte(e.Heartbeat))
	if game == nil || r.identity.State == qr2.StateShutdown {
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
	m.setLocked(i, game, &r, e.Heartbeat)
	m.judgeLocked(i)
}

// remove removes a server that another node has removed.
func (m *Master) remove(addr netip.AddrPort) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i, ok := m.servers.Find(unmap(addr)); ok {
		m.unlistLocked(i)
		m.servers.Remove(i)
	}
}
