package gamespy2

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
