package gamespy1net

import (
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/internal/serverlist"
)

// MasterStats counts the work of a Master since its creation. PacketStats counts the
// datagrams of Serve and Respond.
type MasterStats struct {
	lobbywire.PacketStats

	Conns lobbywire.ConnStats // of ServeLists

	GameAgentLists uint64 // requests answered with the list of GameAgent
	GameSpyLists   uint64 // requests answered with the list of a game
	Challenges     uint64 // requests answered with a challenge
	Heartbeats     uint64 // heartbeats of servers that are listed or withheld

	Checks     uint64 // queries of servers
	Unanswered uint64 // Checks without an answer
	Wrong      uint64 // wrong or missing answers of servers and clients of games to challenges
	Foreign    uint64 // heartbeats of games that are not in Games

	NotSynced uint64 // failures to fetch the servers of a master in SyncFrom

	Listed   int    // servers in the list now
	Withheld int    // servers that Admit withholds now
	Refused  uint64 // servers not listed because of a limit on their number
	Limited  uint64 // requests dropped or lists not sent because of a rate limit

	// Cut reports that some list now lacks servers, because it is full: the list of
	// GameAgent would need more than Limits.MaxListPackets datagrams, or a game has more
	// than [gamespy1.MaxServers] servers.
	Cut bool
}

// Stats returns a snapshot of the counters.
func (m *Master) Stats() MasterStats {
	m.start()
	r, k, l := &m.registrar, &m.checker, &m.lists
	s := MasterStats{
		PacketStats:    m.socket.Stats(),
		Conns:          l.conns.Stats(),
		GameAgentLists: l.gameAgentLists.Load(),
		GameSpyLists:   l.gameSpyLists.Load(),
		Challenges:     r.challenges.Load(),
		Heartbeats:     r.heartbeats.Load(),
		Checks:         k.Checks.Load(),
		Unanswered:     k.Unanswered.Load(),
		Wrong:          r.wrong.Load() + k.Wrong.Load() + l.wrong.Load(),
		Foreign:        r.foreign.Load(),
		NotSynced:      m.syncer.notSynced.Load(),
		Limited:        m.socket.Limiter.Refused() + m.socket.Verified.Refused() + l.limiter.Refused(),
	}
	m.list.Servers.Do(time.Now(), func(t *serverlist.Locked) {
		s.Listed, s.Withheld, s.Refused = t.Listed, t.Withheld, t.Refused
		s.Cut = m.list.IsCut(t, int(l.packets.Load()))
	})
	return s
}
