package bomberman

import "encoding/json"

// CommandQueryGameServers is the command of a [QueryGameServers].
const CommandQueryGameServers = "msQueryGameServers"

// QueryGameServers requests the list of a management server. The server answers
// with a [QueryGameServersResponse]. It has no content.
//
//wire:message Message key=CommandQueryGameServers
type QueryGameServers struct {
	Extra map[string]json.RawMessage // members of a content, which should not be there
	Envelope
}
