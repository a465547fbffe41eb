package bomberman

// QueryGameServersResponse is the list of a management server. Unless Strict,
// decoding keeps servers that break the rules; see [Server.Check].
//
//wire:message Message command=msRQueryGameServers
type QueryGameServersResponse struct {
	Servers []Server `wire:"servers"` // in no order; may be empty
	Envelope
}
