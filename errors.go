package lobbywire

import (
	"errors"
	"strconv"
)

// The five kinds of failure. Every error of a codec is an [*Error] that wraps
// exactly one of them; test with [errors.Is].
var (
	// ErrTruncated means that the input ended too early: a longer input that
	// starts with these bytes could be valid. On a stream: read more, try again.
	ErrTruncated = errors.New("truncated")

	// ErrTrailing means that the message was whole, and bytes followed it.
	ErrTrailing = errors.New("trailing data")

	// ErrTooLarge means that a limit was exceeded, the format's or ours.
	ErrTooLarge = errors.New("limit exceeded")

	// ErrInvalid means that a value is not one the format allows.
	ErrInvalid = errors.New("invalid value")

	// ErrUnsupported means that the input is well-formed, but of a version or
	// type that the package does not know, or that another function reads.
	ErrUnsupported = errors.New("unsupported")
)

// Error tells where a message could not be decoded or encoded.
//
// Its text holds names and numbers only, never bytes of the input, so it is
// safe to log.
type Error struct {
	Proto  string // the codec package, as "sqp"
	Field  string // the field's name in the message, as "players[3].name"; "" is the message itself
	Offset int    // where the field starts in the input, in bytes; -1 when encoding
	Err    error  // one of the five kinds
}

// Error returns "proto: field at byte offset: kind".
func (e *Error) Error() string {
	s := e.Proto + ": "
	if e.Field != "" {
		s += e.Field
	} else {
		s += "message"
	}
	if e.Offset >= 0 {
		s += " at byte " + strconv.Itoa(e.Offset)
	}
	return s + ": " + e.Err.Error()
}

// Unwrap returns the kind.
func (e *Error) Unwrap() error { return e.Err }
