package wzhttp

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Status answers a [Connection] or a [Patch].
//
//wire:message object
type Status struct {
	GameID      string                     `wire:"gameId,max=MaxID,should=ValidID,plain"`
	Published   bool                       `wire:"published"`   // the game is listed
	Connections []ConnectionStatus         `wire:"connections"` // the connections that the host announced
	Extra       map[string]json.RawMessage // unknown members
}

// A ConnectionStatus is the result of the lobby's check of a [Connection].
//
//wire:object
type ConnectionStatus struct {
	Type   ConnectionType             `wire:"type,connectionType"`
	Status Validation                 `wire:"status,should=valid"`
	Extra  map[string]json.RawMessage // unknown members
}

// A Validation is the progress of the lobby's check of a connection. The game's host ends
// its listing if it receives an unknown Validation, or if the game is not listed and
// ValidationError is the status of all its connections.
type Validation string

// The values.
const (
	ValidationSubmitted Validation = "submitted" // not checked yet
	ValidationValidated Validation = "validated" // the host answered a [Probe]
	ValidationError     Validation = "error"     // the host answered no Probe
)

// validationFault is the reason for refusing an unknown status.
const validationFault wire.Invalid = "is not a known status"

// valid reports whether v is one of the three values.
func (v Validation) valid() bool {
	return v == ValidationSubmitted || v == ValidationValidated || v == ValidationError
}
