package wzhttp

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Status answers a [Connection] or a [Patch].
//
//wire:message object
type Status struct {
	GameID      string                     `wire:"gameId,gameID"`
	Published   bool                       `wire:"published"`   // the game is listed
	Connections []ConnectionStatus         `wire:"connections"` // those that the host announced
	Extra       map[string]json.RawMessage // unknown members
}

// A ConnectionStatus is what the lobby found out of a [Connection].
//
//wire:object
type ConnectionStatus struct {
	Type   ConnectionType             `wire:"type,connectionType"`
	Status Validation                 `wire:"status,should=Valid"`
	Extra  map[string]json.RawMessage // unknown members
}

// A Validation is the progress of a lobby's look at a host. A host of the game leaves
// if it does not know it. It also leaves once all connections that it announced have
// ValidationError and the game is not listed.
type Validation string

// The values.
const (
	ValidationSubmitted Validation = "submitted" // not looked at
	ValidationValidated Validation = "validated" // a [Probe] was answered
	ValidationError     Validation = "error"     // no Probe was answered
)

// validationFault is the reason for another status.
const validationFault wire.Invalid = "is not a known status"

// Valid reports whether v is one of the three values.
func (v Validation) Valid() bool {
	return v == ValidationSubmitted || v == ValidationValidated || v == ValidationError
}
