package wire

import (
	"strconv"

	"github.com/lobbywire/lobbywire"
)

// scope is the structure that fields belong to, as players[3].
type scope struct {
	name  string
	index int // -1 for none
}

// path returns the full name of a field, as players[3].name.
func (s scope) path(field string) string {
	if s.name == "" {
		return field
	}
	p := s.name
	if s.index >= 0 {
		p += "[" + strconv.Itoa(s.index) + "]"
	}
	if field != "" {
		p += "." + field
	}
	return p
}

// fail notes the first failure; its protocol is filled in at the end.
func fail(first **lobbywire.Error, kind error, s scope, field string, at int) {
	if *first == nil {
		*first = &lobbywire.Error{Field: s.path(field), Offset: at, Err: kind}
	}
}

// result returns the failure as an error of protocol proto, or nil.
func result(failure *lobbywire.Error, proto string) error {
	if failure == nil {
		return nil
	}
	failure.Proto = proto
	return failure
}

// An excess is [lobbywire.ErrTooLarge] with the size of what was refused.
type excess struct{ size, limit int64 } // a count of 32 bits too, where int has as many

// Error returns, as an example, "limit exceeded: 70, at most 63".
func (e excess) Error() string {
	return lobbywire.ErrTooLarge.Error() + ": " + strconv.FormatInt(e.size, 10) + ", at most " + strconv.FormatInt(e.limit, 10)
}

// Unwrap returns the kind.
func (e excess) Unwrap() error { return lobbywire.ErrTooLarge }

// A refusal is [lobbywire.ErrInvalid] with the reason.
type refusal struct{ reason string }

// Error returns, as an example, "invalid value: contains a zero byte".
func (e refusal) Error() string { return lobbywire.ErrInvalid.Error() + ": " + e.reason }

// Unwrap returns the kind.
func (e refusal) Unwrap() error { return lobbywire.ErrInvalid }

// Refused returns a failure of kind [lobbywire.ErrInvalid] with the reason, a
// constant or names and numbers, never bytes of a message.
func Refused(reason string) error { return refusal{reason} }

// Exceeded returns a failure of kind [lobbywire.ErrTooLarge] of what has the given
// size, which is more than limit.
func Exceeded(size, limit int) error { return excess{int64(size), int64(limit)} }

// Reasons of refusals in several places.
const (
	hasZero = "contains a zero byte"
	notUTF8 = "is not UTF-8"
)
