package warzonenet

import "github.com/lobbywire/lobbywire"

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

// HostStats has the counts of a Host, ProposalHost or JSONHost since
// its creation.
type HostStats struct {
	Connects uint64 // connections made; for proposals, announcements
	Failures uint64 // connections that failed or ended early; for proposals, failed announcements
	Sent     uint64 // announcements and updates
	Keeps    uint64
}
