package bomberman

import (
	"encoding/json"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Field is what is on one field of the arena now.
type Field struct {
	X, Y  int // where, from 0
	ID    FieldID
	Extra map[string]json.RawMessage // members that are not known
}

var fieldMembers = [...]string{"x", "y", "id"}

// minField is the size of the smallest field, to bound their number.
const minField = len(`{"x":0,"y":0,"id":0}`)

func (m *Field) decode(j *wire.JSON, o Options) {
	f := j.Object(fieldMembers[:], len(fieldMembers), &m.Extra)
	for f.Next() {
		switch f.Name() {
		case "x":
			m.X = decodeCoordinate(j, o)
		case "y":
			m.Y = decodeCoordinate(j, o)
		case "id":
			m.ID = FieldID(decodeInt(j, o))
			if o.Strict && !m.ID.Valid() {
				j.Invalid()
			}
		}
	}
}

func (m *Field) append(w *wire.Writer) {
	w.Text(`{"x":`)
	appendCoordinate(w, "x", m.X)
	w.Text(`,"y":`)
	appendCoordinate(w, "y", m.Y)
	w.Text(`,"id":`)
	if !m.ID.Valid() {
		w.Fail(lobbywire.ErrInvalid, "id")
	}
	w.Int(int64(m.ID))
	w.JSONExtra(m.Extra, fieldMembers[:])
	w.Text(`}`)
}

// A FieldID tells what is on a field. There are 32.
type FieldID int

// What may be on a field. Only the first three power-ups are in a game of
// [GameplayModeStandardA].
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
	FieldPowerupBombWalker FieldID = 28 // bombs can be walked over

	FieldPlayer1 FieldID = 51
	FieldPlayer2 FieldID = 52
	FieldPlayer3 FieldID = 53
	FieldPlayer4 FieldID = 54

	FieldArmoredPlayer1 FieldID = 55
	FieldArmoredPlayer2 FieldID = 56
	FieldArmoredPlayer3 FieldID = 57
	FieldArmoredPlayer4 FieldID = 58

	FieldBomb1State1 FieldID = 61 // bomb of player 1; states change until it explodes
	FieldBomb1State2 FieldID = 62
	FieldBomb1State3 FieldID = 63
	FieldBomb2State1 FieldID = 71
	FieldBomb2State2 FieldID = 72
	FieldBomb2State3 FieldID = 73
	FieldBomb3State1 FieldID = 81
	FieldBomb3State2 FieldID = 82
	FieldBomb3State3 FieldID = 83
	FieldBomb4State1 FieldID = 91
	FieldBomb4State2 FieldID = 92
	FieldBomb4State3 FieldID = 93
)

// BombStates is how many states a bomb has.
const BombStates = 3

// BombField returns the id of a bomb of a player, 1 to 4, in a state, 1 to 3,
// and -1, which is not valid, for other arguments.
func BombField(player, state int) FieldID {
	if !validNumber(player) || state < 1 || state > BombStates {
		return -1
	}
	return FieldID(50 + 10*player + state)
}

// PlayerField returns the id of a player, 1 to 4, and -1, which is not valid,
// for another.
func PlayerField(player int, armored bool) FieldID {
	switch {
	case !validNumber(player):
		return -1
	case armored:
		return FieldArmoredPlayer1 - 1 + FieldID(player)
	}
	return FieldPlayer1 - 1 + FieldID(player)
}

// Bomb returns whose bomb is on the field and in which state it is. It is not
// ok if there is none.
func (id FieldID) Bomb() (player, state int, ok bool) {
	player = int(id)/10 - 5
	state = int(id) % 10
	if BombField(player, state) != id || id < 0 {
		return 0, 0, false
	}
	return player, state, true
}

// Player returns who is on the field. It is not ok if there is nobody.
func (id FieldID) Player() (player int, armored, ok bool) {
	switch {
	case id >= FieldPlayer1 && id <= FieldPlayer4:
		return int(id-FieldPlayer1) + 1, false, true
	case id >= FieldArmoredPlayer1 && id <= FieldArmoredPlayer4:
		return int(id-FieldArmoredPlayer1) + 1, true, true
	}
	return 0, false, false
}

// Powerup tells whether a power-up is on the field.
func (id FieldID) Powerup() bool {
	return id >= FieldPowerupRadius && id <= FieldPowerupBombWalker
}

// Valid tells whether id is one of the 32.
func (id FieldID) Valid() bool {
	_, _, bomb := id.Bomb()
	return bomb || id >= FieldFree && id <= FieldExplosion || id.Powerup() ||
		id >= FieldPlayer1 && id <= FieldArmoredPlayer4
}

var (
	groundNames  = [...]string{"free", "solid wall", "destructible wall", "explosion"}
	powerupNames = [...]string{
		"radius", "bombs", "armor", "speed", "kick", "super bomb", "max radius", "bomb walker",
	}
)

// String returns, as examples, "solid wall", "power-up kick", "player 2",
// "armored player 2", "bomb of player 2, state 3" or "field(7)".
func (id FieldID) String() string {
	if player, state, ok := id.Bomb(); ok {
		return "bomb of player " + strconv.Itoa(player) + ", state " + strconv.Itoa(state)
	}
	if player, armored, ok := id.Player(); ok && armored {
		return "armored player " + strconv.Itoa(player)
	} else if ok {
		return "player " + strconv.Itoa(player)
	}
	switch {
	case id.Powerup():
		return "power-up " + powerupNames[id-FieldPowerupRadius]
	case id >= FieldFree && id <= FieldExplosion:
		return groundNames[id]
	}
	return "field(" + strconv.Itoa(int(id)) + ")"
}
