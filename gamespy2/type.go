package gamespy2

import "github.com/lobbywire/lobbywire/internal/wire"

// proto names the package in errors.
const proto = "gamespy2"

// A Type is the type of a message. Servers and masters have more types.
type Type uint8

// The types.
const (
	TypeQuery        Type = 0 // request and response
	TypeEcho         Type = 2 // request
	TypeEchoResponse Type = 5 // response
	TypeChallenge    Type = 9 // request and response
)

var typeNames = [...]string{
	TypeQuery: "query", TypeEcho: "echo", TypeEchoResponse: "echo response", TypeChallenge: "challenge",
}

// String returns "query", "echo", "echo response", "challenge" or, for other types, a form such
// as "type(7)".
func (t Type) String() string { return wire.EnumName(t, "type", typeNames[:]...) }
