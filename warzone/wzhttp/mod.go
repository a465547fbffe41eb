package wzhttp

import "encoding/json"

// A Mod is a modification of the game that the host uses.
//
//wire:object
type Mod struct {
	Name  string                     `wire:"name"`
	Hash  string                     `wire:"hash,hash"` // SHA-256 of its file in 64 lower-case digits, or ""
	Extra map[string]json.RawMessage // unknown members
}
