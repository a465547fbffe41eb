package bomberman

import "github.com/lobbywire/lobbywire/internal/wire"

// PlayerAction is an action of a player in a round. There is no answer. Decoding refuses
// all but the five actions.
//
//wire:message Message command=gsPlayerAction
type PlayerAction struct {
	Action Action `wire:"action,range=ActionBomb..ActionDown"`
	Envelope
}

// An Action is a move of a player.
type Action int

// The actions.
const (
	ActionBomb  Action = 0 // plant a bomb
	ActionRight Action = 1
	ActionLeft  Action = 2
	ActionUp    Action = 3
	ActionDown  Action = 4
)

// String returns "bomb", "right", "left", "up", "down" or a form such as "action(7)".
func (a Action) String() string {
	return wire.EnumName(a, "action", "bomb", "right", "left", "up", "down")
}
