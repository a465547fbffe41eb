package bomberman

// QueryGameServersResponse is the list of a management server. Unless Strict,
// decoding keeps servers that break the rules; see [Server.Check].
//
//wire:message Message command=msRQueryGameServers
type QueryGameServersResponse struct {
	Servers []Server `wire:"servers"` // in no order; may be empty
	Envelope
}

// ClipServers returns as many of the first servers as fit in one
// [QueryGameServersResponse], about 450. All must pass [Server.Check].
func ClipServers(servers []Server) []Server {
	room := RoomForServers()
	var b []byte
	for i, s := range servers {
		b, _ = s.AppendListed(b[:0])
		if room -= len(b); room < 0 {
			return servers[:i:i]
		}
	}
	return servers
}
