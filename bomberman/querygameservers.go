package bomberman

// CommandQueryGameServers is the command of a [QueryGameServers].
const CommandQueryGameServers = "msQueryGameServers"

// QueryGameServers requests the list of a management server. The server answers
// with a [QueryGameServersResponse]. It has no content.
//
//wire:message Message key=CommandQueryGameServers
type QueryGameServers struct {
	Envelope
}
