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

// fail records the first failure. Function result adds the protocol.
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

// failWith records the first failure, as fail does, with one allocation for the error
// and the kind.
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

// Failures with a reason. A reason consists of constant text, names and numbers, and
// never contains bytes of a message. A constant one costs no allocation.
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

// numbers is a failure whose reason has two numbers. Only Error builds its text.
type numbers struct {
	kind   error
	format string
	a, b   int64 // even on systems where int has 32 bits, a count may have 32
}

// Error returns, as an example, "limit exceeded: 70, at most 63".
func (e numbers) Error() string {
	return e.kind.Error() + ": " + fmt.Sprintf(e.format, e.a, e.b)
}

// Unwrap returns the kind.
func (e numbers) Unwrap() error { return e.kind }

// exceeded is the failure of a size that is more than limit.
func exceeded(size, limit int64) numbers {
	return numbers{lobbywire.ErrTooLarge, "%d, at most %d", size, limit}
}

// outside is the failure of a number that is not from low to high.
func outside(low, high int64) numbers {
	return numbers{lobbywire.ErrInvalid, "is not from %d to %d", low, high}
}

// Exceeded returns a failure of kind [lobbywire.ErrTooLarge] for a size that is more
// than limit.
func Exceeded[T ~int | ~uint32](size T, limit int) error {
	return exceeded(int64(size), int64(limit))
}

// Over returns a failure of kind [lobbywire.ErrTooLarge] for an unknown size that is
// more than limit.
func Over(limit int) error { return TooLarge("more than " + strconv.Itoa(limit)) }

// Outside returns a failure of kind [lobbywire.ErrInvalid] for a number that is not
// from low to high.
func Outside[T ~int | ~int64](low, high T) error {
	return outside(int64(low), int64(high))
}

// Reasons of several methods.
const (
	hasZero = "contains a zero byte"
	NotUTF8 = "is not UTF-8"

	NotInLayout Invalid = "does not exist in this layout"
)
