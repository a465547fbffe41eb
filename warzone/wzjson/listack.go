package wzjson

import "encoding/json"

// CommandListAck is the command of a [ListAck].
const CommandListAck = "list-ack"

// A ListAck answers a [List].
//
//wire:message Message key=CommandListAck
type ListAck struct {
	Games []Game                     `wire:"games"` // in no order; may be empty
	Extra map[string]json.RawMessage // unknown members of the query
	Envelope
}
