package wire

import (
	"fmt"
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

// failWith notes the first failure, as fail does. The kind is part of the error, so
// that both are one allocation.
func failWith(first **lobbywire.Error, kind numbers, s scope, field string, at int) {
	if *first != nil {
		return
	}
	f := &struct {
		err  lobbywire.Error
		kind numbers
	}{kind: kind}
	f.err = lobbywire.Error{Field: s.path(field), Offset: at, Err: &f.kind}
	*first = &f.err
}

// Failures with a reason. A reason is a constant, or names and numbers, never bytes
// of a message. A constant costs no allocation.
type (
	Invalid     string // [lobbywire.ErrInvalid]
	TooLarge    string // [lobbywire.ErrTooLarge]
	Unsupported string // [lobbywire.ErrUnsupported]
)

// Error returns, as an example, "invalid value: contains a zero byte".
func (e Invalid) Error() string { return lobbywire.ErrInvalid.Error() + ": " + string(e) }

// Unwrap returns the kind.
func (Invalid) Unwrap() error { return lobbywire.ErrInvalid }

// Error returns the kind and the reason.
func (e TooLarge) Error() string { return lobbywire.ErrTooLarge.Error() + ": " + string(e) }

// Unwrap returns the kind.
func (TooLarge) Unwrap() error { return lobbywire.ErrTooLarge }

// Error returns the kind and the reason.
func (e Unsupported) Error() string { return lobbywire.ErrUnsupported.Error() + ": " + string(e) }

// Unwrap returns the kind.
func (Unsupported) Unwrap() error { return lobbywire.ErrUnsupported }

// numbers is a failure whose reason has two numbers. Its text is made when it is read.
type numbers struct {
	kind   error
	format string
	a, b   int64 // a count of 32 bits too, where int has as many
}

// Error returns, as an example, "limit exceeded: 70, at most 63".
func (e numbers) Error() string {
	return e.kind.Error() + ": " + fmt.Sprintf(e.format, e.a, e.b)
}

// Unwrap returns the kind.
func (e numbers) Unwrap() error { return e.kind }

// exceeded is the failure of what has the given size, which is more than limit.
func exceeded(size, limit int64) numbers {
	return numbers{lobbywire.ErrTooLarge, "%d, at most %d", size, limit}
}

// outside is the failure of a number that is not from low to high.
func outside(low, high int64) numbers {
	return numbers{lobbywire.ErrInvalid, "is not from %d to %d", low, high}
}

// Exceeded returns a failure of kind [lobbywire.ErrTooLarge] of what has the given
// size, which is more than limit.
func Exceeded[T ~int | ~uint32](size T, limit int) error {
	return exceeded(int64(size), int64(limit))
}

// Over returns a failure of kind [lobbywire.ErrTooLarge] of what is larger than
// limit, by an unknown size.
func Over(limit int) error { return TooLarge("more than " + strconv.Itoa(limit)) }

// Outside returns a failure of kind [lobbywire.ErrInvalid] of a number that is not
// from low to high.
func Outside[T ~int](low, high T) error {
	return outside(int64(low), int64(high))
}

// Reasons in several places.
const (
	hasZero = "contains a zero byte"
	notUTF8 = "is not UTF-8"
)
