package bomberman

import "encoding/json"

// ArenaUpdated describes what has changed in the arena. A game server sends it to the
// players of a round with every tick. The first one of a round contains all fields of the
// arena, later ones the changed fields.
//
//wire:message Message command=cArenaUpdated
type ArenaUpdated struct {
	Players       []ArenaPlayer `wire:"players,max=MaxPlayers"` // all living players; empty if none has changed
	UpdatedFields []Field       `wire:"updatedFields"`          // in any order; empty if none has changed
	Envelope
}

// An ArenaPlayer is a living player.
//
//wire:object
type ArenaPlayer struct {
	Number    int                        `wire:"number,should=validNumber"`   // 1 to 4
	Name      string                     `wire:"name,should=ValidName,plain"` // as adapted by the server
	X         int                        `wire:"x,should=validCoordinate"`    // from 0
	Y         int                        `wire:"y,should=validCoordinate"`    // from 0
	IsArmored bool                       `wire:"isArmored"`                   // survives an explosion
	Extra     map[string]json.RawMessage // unknown members
}
