package wzjson

import "encoding/json"

// An Error answers a request that the lobby refuses. It is a message, not a Go
// error.
//
//wire:message Message command=error
type Error struct {
	Message string                     `wire:"message,lenient"` // for people; may be ""
	Extra   map[string]json.RawMessage // unknown members of the query
	Envelope
}
