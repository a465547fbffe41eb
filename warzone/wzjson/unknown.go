package wzjson

import "encoding/json"

// An Unknown is a message with any command. Its other members are in Extra.
//
//wire:message Message
type Unknown struct {
	Command string                     `wire:"command"`
	Extra   map[string]json.RawMessage // unknown members of the query
	Envelope
}
