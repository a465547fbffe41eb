package bomberman

// QueryGameServers requests the list of a management server. The server answers
// with a [QueryGameServersResponse]. It has no content.
//
//wire:message Message command=msQueryGameServers
type QueryGameServers struct {
	Envelope
}
