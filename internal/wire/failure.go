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

// failWith notes the first failure, as fail does. The kind is part of the error, so
// that both are one allocation.
func failWith[K any, P interface {
	*K
	error
}](first **lobbywire.Error, kind K, s scope, field string, at int) {
	if *first != nil {
		return
	}
	f := &struct {
		err  lobbywire.Error
		kind K
	}{kind: kind}
	f.err = lobbywire.Error{Field: s.path(field), Offset: at, Err: P(&f.kind)}
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

// An excess is [lobbywire.ErrTooLarge] with the size of what was refused.
type excess struct{ size, limit int64 } // a count of 32 bits too, where int has as many

// Error returns, as an example, "limit exceeded: 70, at most 63".
func (e excess) Error() string {
	if e.size < 0 {
		return lobbywire.ErrTooLarge.Error() + ": more than " + strconv.FormatInt(e.limit, 10)
	}
	return lobbywire.ErrTooLarge.Error() + ": " + strconv.FormatInt(e.size, 10) + ", at most " + strconv.FormatInt(e.limit, 10)
}

// Unwrap returns the kind.
func (excess) Unwrap() error { return lobbywire.ErrTooLarge }

// Exceeded returns a failure of kind [lobbywire.ErrTooLarge] of what has the given
// size, which is more than limit. The size may have 32 bits where an int has as many.
func Exceeded[T ~int | ~uint32](size T, limit int) error { return excess{int64(size), int64(limit)} }

// Over returns a failure of kind [lobbywire.ErrTooLarge] of what is larger than
// limit, by an unknown size.
func Over(limit int) error { return excess{-1, int64(limit)} }

// A mismatch is [lobbywire.ErrInvalid] with the number that is not the constant of
// the format.
type mismatch struct{ got, want uint8 }

// Error returns, as an example, "invalid value: is 4, want 9".
func (e mismatch) Error() string {
	return lobbywire.ErrInvalid.Error() + ": is " + strconv.Itoa(int(e.got)) + ", want " + strconv.Itoa(int(e.want))
}

// Unwrap returns the kind.
func (mismatch) Unwrap() error { return lobbywire.ErrInvalid }

// An outside is [lobbywire.ErrInvalid] of a number that is not from low to high.
type outside struct{ low, high int64 }

// Error returns, as an example, "invalid value: is not from 1 to 4".
func (e outside) Error() string {
	return lobbywire.ErrInvalid.Error() + ": is not from " + strconv.FormatInt(e.low, 10) + " to " + strconv.FormatInt(e.high, 10)
}

// Unwrap returns the kind.
func (outside) Unwrap() error { return lobbywire.ErrInvalid }

// Outside returns a failure of kind [lobbywire.ErrInvalid] of a number that is not
// from low to high.
func Outside[T ~int](low, high T) error { return outside{int64(low), int64(high)} }

// Reasons in several places.
const (
	hasZero = "contains a zero byte"
	notUTF8 = "is not UTF-8"
)
