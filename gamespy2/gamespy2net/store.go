package gamespy2net

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A Store shares the list of a [Master] with other nodes.
//
// Put and Remove are called between datagrams and from several goroutines: Put for a
// server that is new in the list, and for heartbeats of listed servers, at most every
// 30 seconds for each; Remove for a server that has stopped. A server expires without a
// call of Remove if there is no further Put within [Expiry] after its Seen. The answer
// to a challenge must arrive at the node that sent it. Servers of games that a node
// does not have are ignored.
//
// The Master calls Watch when it is first used, and stop from Shutdown and Close.
type Store = lobbywire.Store[Entry, netip.AddrPort]

// An Entry is a server that is listed or withheld. Its address is verified: the
// server has answered a challenge of this node or of another node. The contents of
// Heartbeat are not verified.
type Entry struct {
	Game      string         // name of the game
	Addr      netip.AddrPort // of the query port, which heartbeats come from
	Seen      time.Time      // time of the last heartbeat or keepalive
	Heartbeat string         // the last one in its wire form; see Parse
	Withheld  bool           // Admit withholds the server from the list

	// NeedsChallenge means that the server answers only queries with a challenge, although
	// its Game has no RequireChallenge. Lists have its fields.
	NeedsChallenge bool
}

// Parse parses the heartbeat.
func (e Entry) Parse() (qr2.Heartbeat, error) { return qr2.ParseHeartbeat([]byte(e.Heartbeat)) }

// View returns the view of the server, as [qr2.Heartbeat.View] does. Host is the address in
// Addr.
func (e Entry) View() lobbywire.View {
	m, _ := e.Parse() // has no keys if it fails
	v := m.View()
	v.Host = e.Addr.Addr().String()
	return v
}

// put lists a server that another node has listed. It ignores invalid entries.
func (m *Master) put(e Entry) {
	from := udp.Unmap(e.Addr)
	if !listable(from) || len(e.Heartbeat) > qr2.MaxHeartbeat {
		return
	}
	r, game := m.read([]byte(e.Heartbeat))
	if game == nil || r.identity.State == qr2.StateShutdown {
		return
	}
	m.servers.Merge(from, e.Seen, func(i int) {
		m.setLocked(i, game, &r, e.Heartbeat)
		m.setChallengeLocked(i, e.NeedsChallenge)
		m.servers.Judge(i)
	})
}
