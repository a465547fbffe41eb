package wzhttp

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Game is a line of a list: an open game, without its address, which only a [JoinReply]
// contains.
//
//wire:message Line object
type Game struct {
	Type        string                     `wire:"type,must=isOfGame,omitzero"`       // known lobbies send none
	ID          string                     `wire:"id,max=MaxID,should=ValidID,plain"` // of 1 to MaxID bytes, see ValidID
	Room        Room                       `wire:",inline"`
	Connections []ConnectionType           `wire:"conn,connectionTypes"` // how clients can connect; may be empty
	Extra       map[string]json.RawMessage // unknown members
}

// isOfGame reports whether a line of this type is a game.
func isOfGame(lineType string) bool { return lineType != headerType }

// isOfGameFault is the reason for refusing the type of a header.
const isOfGameFault wire.Invalid = "belongs to a header"
