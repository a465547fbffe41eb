package wzhttp

import "encoding/json"

// Codes of an [Error]. Lobbies may send others, which the game shows unchanged.
const (
	CodeCaptchaRequired  = "CAPTCHA_REQUIRED" // Data is a [Captcha]
	CodeGameNotFound     = "GAME_NOT_FOUND"
	CodeDisallowedSource = "HOST_DISALLOWED_JOIN_SOURCE" // because of JoinOptions
	CodeRateLimited      = "RATE_LIMITED"                // with status 429
)

// CodeGeneric is the code that the game uses for an answer that is not an [Error].
const CodeGeneric = "GENERIC_ERROR"

// An Error answers a request that the lobby refuses, with an HTTP status that the endpoint
// does not accept. It is a message, not a Go error.
//
//wire:message object
type Error struct {
	Code    string                     `wire:"code"`              // for programs
	Message string                     `wire:"message,omitzero"`  // for people
	Data    json.RawMessage            `wire:"data,raw,omitzero"` // nil if there is none
	Extra   map[string]json.RawMessage // unknown members
}
