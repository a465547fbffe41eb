package wzjson

import "encoding/json"

// A ListAck answers a [List].
//
//wire:message Message command=list-ack
type ListAck struct {
	Games []Game                     `wire:"games"` // in no order; may be empty
	Extra map[string]json.RawMessage // unknown members of the query
	Envelope
}
