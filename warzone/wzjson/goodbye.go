package wzjson

import "encoding/json"

// A Goodbye removes a game from the list of a lobby. The lobby may answer with an
// [Ack] or an [Error].
//
//wire:message Message command=goodbye
type Goodbye struct {
	ID    string                     `wire:"id,max=MaxID,must=isPresent"` // of 1 to MaxID bytes, chosen by the lobby
	Extra map[string]json.RawMessage // unknown members of the query
	Envelope
}
