package warzonenet

import "github.com/lobbywire/lobbywire"

// LobbyStats has the counts of a Lobby since its creation.
type LobbyStats struct {
	lobbywire.ConnStats

	Lists     uint64 // lists sent
	Added     uint64 // games listed
	Updated   uint64 // changes of listed games
	Refused   uint64 // games not listed, for example because they could not be reached
	Malformed uint64 // requests that are malformed
}

// HostStats has the counts of a Host since its creation.
type HostStats struct {
	Connects uint64 // connections made
	Failures uint64 // connections that failed or ended early
	Sent     uint64 // announcements and updates
	Keeps    uint64
}
