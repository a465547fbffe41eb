package wzhttp

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Game is a line of a list: an open game. Its address is not in the list but in a
// [JoinReply].
//
//wire:message Line object
type Game struct {
	Type        string                     `wire:"type,lineType,omitzero"`      // known lobbies send none
	ID          string                     `wire:"id,max=MaxID,should=ValidID"` // of 1 to MaxID bytes, see ValidID
	Room        Room                       `wire:",inline"`
	Connections []ConnectionType           `wire:"conn,connectionTypes"` // how clients can connect; may be empty
	Extra       map[string]json.RawMessage // unknown members
}

// decodeLineType reads the type of a line that is not a header.
func decodeLineType(j *wire.JSON, _ Options) string {
	s := j.Text()
	if s == headerType {
		j.Refuse("is that of a header")
	}
	return s
}

// appendLineType appends the type of a line that is not a header.
func appendLineType(w *wire.Writer, field, s string) {
	if s == headerType {
		w.Refuse(field, "is that of a header")
	}
	w.JSONText(field, s)
}
