package wzhttp

import "encoding/json"

// Seats counts the seats for players or for spectators.
//
//wire:object
type Seats struct {
	Current uint32                     `wire:"cur,lenient"` // taken seats
	Max     uint32                     `wire:"max"`
	Extra   map[string]json.RawMessage // unknown members
}
