package lobbywire

import (
	"cmp"
	"errors"
	"strconv"
)

// The kinds of failure. The [*Error] of a codec wraps exactly one of them; test
// with [errors.Is].
var (
	// ErrTruncated means that the input ended too early: a longer input that
	// starts with the same bytes could be valid. On a stream, read more and try
	// again.
	ErrTruncated = errors.New("truncated")

	// ErrTrailing means that bytes follow the message.
	ErrTrailing = errors.New("trailing data")

	// ErrTooLarge means that a limit was exceeded, either of the format or our
	// own.
	ErrTooLarge = errors.New("limit exceeded")

	// ErrInvalid means that the format does not allow a value.
	ErrInvalid = errors.New("invalid value")

	// ErrUnsupported means that the input is well-formed, but has a version or
	// type that the package does not know or that another function decodes.
	ErrUnsupported = errors.New("unsupported")
)

// An Error describes where and why decoding or encoding a message failed.
//
// Its text consists of names and numbers and never contains bytes of the input,
// so it is safe to log.
type Error struct {
	Proto  string // the codec package, such as "sqp"
	Field  string // the name of the field, such as "players[3].name"; "" is the message itself
	Offset int    // of the field in the input, in bytes; -1 when encoding
	Err    error  // one of the kinds above, or an error with a reason that wraps one
}

// Error returns "proto: field at byte offset: kind", followed by the reason if Err
// has one.
func (e *Error) Error() string {
	s := ""
	if e.Proto != "" {
		s = e.Proto + ": "
	}
	s += cmp.Or(e.Field, "message")
	if e.Offset >= 0 {
		s += " at byte " + strconv.Itoa(e.Offset)
	}
	if e.Err == nil {
		return s + ": unknown error"
	}
	return s + ": " + e.Err.Error()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }
