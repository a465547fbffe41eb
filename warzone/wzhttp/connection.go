package wzhttp

import "encoding/json"

// A Connection announces a way to connect to a host. The host sends one for each
// address family, over that family. The lobby answers with a [Status].
//
//wire:message object
type Connection struct {
	Type ConnectionType `wire:"type,connectionType"`
	// "" means the source address of the request, which lobbies should prefer
	Host  string                     `wire:"host"`
	Port  uint16                     `wire:"port,port"` // of the game, as seen from outside
	Extra map[string]json.RawMessage // unknown members
}
