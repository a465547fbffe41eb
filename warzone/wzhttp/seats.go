package wzhttp

import "encoding/json"

// Seats are places for players or spectators.
//
//wire:object
type Seats struct {
	Current uint32                     `wire:"cur,lenient"` // those that are taken
	Max     uint32                     `wire:"max"`
	Extra   map[string]json.RawMessage // unknown members
}
