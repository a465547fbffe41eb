package bomberman

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Field is the content of one field of the arena.
//
//wire:object
type Field struct {
	X     int                        `wire:"x,should=validCoordinate"` // from 0
	Y     int                        `wire:"y,should=validCoordinate"` // from 0
	ID    FieldID                    `wire:"id,should=Valid"`
	Extra map[string]json.RawMessage // unknown members
}

// A FieldID is what is on a field. There are 32 valid ids.
type FieldID int

// What may be on a field. Only the first three power-ups occur in games of
// [GameplayModeStandardA]. See [PlayerField] and [BombField] for players and
// bombs.
const (
	FieldFree             FieldID = 0
	FieldSolidWall        FieldID = 1
	FieldDestructibleWall FieldID = 2
	FieldExplosion        FieldID = 3

	FieldPowerupRadius     FieldID = 21 // explosions reach farther
	FieldPowerupBombs      FieldID = 22 // more bombs at a time
	FieldPowerupArmor      FieldID = 23
	FieldPowerupSpeed      FieldID = 24
	FieldPowerupKick       FieldID = 25 // bombs can be kicked
	FieldPowerupSuperBomb  FieldID = 26
	FieldPowerupMaxRadius  FieldID = 27
	FieldPowerupBombWalker FieldID = 28 // the player can walk over bombs
)

// The ids of players and bombs, by number from 1.
const (
	firstPlayer FieldID = 51 // to 54, and with armor to 58
	bombs       FieldID = 50 // and 10 times the player, and the state
	bombStates          = 3
)

// BombField returns the id of a bomb of a player, 1 to 4, in a state, 1 to 3. For
// other arguments it returns -1, which is not valid. States change until the
// bomb explodes.
func BombField(player, state int) FieldID {
	if !validNumber(player) || state < 1 || state > bombStates {
		return -1
	}
	return bombs + FieldID(10*player+state)
}

// PlayerField returns the id of a player, 1 to 4. For others it returns -1, which
// is not valid.
func PlayerField(player int, armored bool) FieldID {
	if !validNumber(player) {
		return -1
	}
	if armored {
		player += MaxPlayers
	}
	return firstPlayer - 1 + FieldID(player)
}

// Bomb returns the player whose bomb is on the field, and its state. If there is no
// bomb, ok is false.
func (id FieldID) Bomb() (player, state int, ok bool) {
	player = int(id-bombs) / 10
	state = int(id-bombs) % 10
	if BombField(player, state) != id || id < 0 {
		return 0, 0, false
	}
	return player, state, true
}

// Player returns the player on the field. If there is none, ok is false.
func (id FieldID) Player() (player int, armored, ok bool) {
	if id < firstPlayer || id >= firstPlayer+2*MaxPlayers {
		return 0, false, false
	}
	n := int(id - firstPlayer)
	return n%MaxPlayers + 1, n >= MaxPlayers, true
}

// Powerup reports whether a power-up is on the field.
func (id FieldID) Powerup() bool {
	return id >= FieldPowerupRadius && id <= FieldPowerupBombWalker
}

// fieldIDFault is the reason for another field.
const fieldIDFault wire.Invalid = "is not one of the 32 fields"

// Valid reports whether id is one of the 32.
func (id FieldID) Valid() bool {
	return id >= 0 && int(id) < len(fieldNames) && fieldNames[id] != ""
}

// fieldNames are the names of the valid ids.
var fieldNames = [...]string{
	FieldFree: "free", "solid wall", "destructible wall", "explosion",
	FieldPowerupRadius: "power-up radius", "power-up bombs", "power-up armor", "power-up speed",
	"power-up kick", "power-up super bomb", "power-up max radius", "power-up bomb walker",
	firstPlayer: "player 1", "player 2", "player 3", "player 4",
	"armored player 1", "armored player 2", "armored player 3", "armored player 4",
	bombs + 11: "bomb of player 1, state 1", "bomb of player 1, state 2", "bomb of player 1, state 3",
	bombs + 21: "bomb of player 2, state 1", "bomb of player 2, state 2", "bomb of player 2, state 3",
	bombs + 31: "bomb of player 3, state 1", "bomb of player 3, state 2", "bomb of player 3, state 3",
	bombs + 41: "bomb of player 4, state 1", "bomb of player 4, state 2", "bomb of player 4, state 3",
}

// String returns a form such as "solid wall", "power-up kick", "player 2",
// "armored player 2", "bomb of player 2, state 3" or "field(7)".
func (id FieldID) String() string { return wire.EnumName(id, "field", fieldNames[:]...) }
