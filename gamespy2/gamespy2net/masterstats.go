package gamespy2net

import (
	"time"

	"github.com/lobbywire/lobbywire"
)

// MasterStats counts the work of a Master since its creation. PacketStats counts the
// datagrams of Serve and Respond.
type MasterStats struct {
	lobbywire.PacketStats
	Conns lobbywire.ConnStats // of ServeLists

	Challenges uint64 // heartbeats answered with a challenge

	Listed    int    // servers in the list now
	Withheld  int    // servers that Admit withholds now
	Unchecked int    // servers that have not answered a query yet
	Refused   uint64 // servers not listed because of a limit on their number
	Limited   uint64 // requests dropped because of a rate limit
	Wrong     uint64 // wrong answers to challenges: the server uses a different secret key
	Foreign   uint64 // heartbeats and requests that are malformed or of games that are not in Games

	Lists          uint64 // lists sent to clients
	RefusedLists   uint64 // requests for lists answered with an error
	Rules          uint64 // requests for the rules of a server that were answered
	Messages       uint64 // messages of clients that were forwarded to servers
	Pushed         uint64 // pushed changes, counted for each client
	Subscribers    int    // clients that receive changes now
	LimitedClients uint64 // connections ended by Limits.Lists
	CostlyFilters  uint64 // lists refused and connections ended by Limits.Filters
}

// Stats returns a snapshot of the counters.
func (m *Master) Stats() MasterStats {
	m.start()
	r, p := &m.registrar, &m.lists
	s := MasterStats{
		PacketStats: m.socket.Stats(), Conns: p.conns.Stats(),
		Challenges: r.challenges.Load(),
		Limited:    m.socket.Limiter.Refused() + m.socket.Verified.Refused(),
		Wrong:      r.wrong.Load(), Foreign: m.catalogue.foreign.Load(),
		Lists: p.lists.Load(), RefusedLists: p.refused.Load(),
		Rules: p.rules.Load(), Messages: p.messages.Load(),
		Pushed: p.pushed.Load(), Subscribers: int(p.subscribers.Load()),
		LimitedClients: p.requests.Refused(), CostlyFilters: p.costly.Load(),
	}
	m.catalogue.servers.Do(time.Now(), func(t *locked) {
		s.Listed, s.Withheld, s.Refused = t.Listed, t.Withheld, t.Refused
		s.Unchecked = t.Len() - t.Listed - t.Withheld
	})
	return s
}
