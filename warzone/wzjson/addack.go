package wzjson

import "encoding/json"

// An AddAck answers an [Add]. Knowing the id is enough to change and remove the game, so it
// is a secret of host and lobby. Lists do not contain it.
//
//wire:message Message command=add-ack
type AddAck struct {
	ID    string                     `wire:"id,max=MaxID,must=isPresent"` // of 1 to MaxID bytes, chosen by the lobby
	Extra map[string]json.RawMessage // unknown members of the query
	Envelope
}
