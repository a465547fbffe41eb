package wzhttp

import "encoding/json"

// A Create announces a game to the lobby, which answers with a [Created]. Then the
// host announces its connections.
//
//wire:message object
type Create struct {
	Room        Room                       `wire:",inline"`
	JoinOptions *JoinOptions               `wire:"joinopts,omitzero"` // the game always sends them
	Attestation *Attestation               `wire:"attest,omitzero"`   // proof of the host's key
	Extra       map[string]json.RawMessage // unknown members
}
