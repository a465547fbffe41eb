package wzhttp

import "encoding/json"

// A Verdict answers a [JoinCheck].
//
//wire:message object
type Verdict struct {
	Pass  bool                       `wire:"pass"`           // the host accepts the player
	Error string                     `wire:"error,omitzero"` // a reason, which the game does not show
	Extra map[string]json.RawMessage // unknown members
}
