package warzonenet

import (
	"sync/atomic"

	"github.com/lobbywire/lobbywire"
)

// LobbyStats has the counts of a Lobby, ProposalLobby or JSONLobby since its
// creation.
type LobbyStats struct {
	lobbywire.ConnStats

	Lists   uint64 // lists sent
	Added   uint64 // games listed; in proposals also games opened again
	Updated uint64 // changes of listed games, and heartbeats of the proposals
	Removed uint64 // games that hosts removed; only the proposals have a request for that

	// Refused counts the games that a Lobby did not list because they could not
	// be reached, and the requests of proposals that were refused.
	Refused uint64

	Malformed uint64 // requests that are malformed
}

// lobbyCounters are the counts behind LobbyStats.
type lobbyCounters struct{ lists, added, updated, removed, refused, malformed atomic.Uint64 }

func (c *lobbyCounters) snapshot(conns lobbywire.ConnStats) LobbyStats {
	return LobbyStats{
		ConnStats: conns,
		Lists:     c.lists.Load(),
		Added:     c.added.Load(),
		Updated:   c.updated.Load(),
		Removed:   c.removed.Load(),
		Refused:   c.refused.Load(),
		Malformed: c.malformed.Load(),
	}
}
