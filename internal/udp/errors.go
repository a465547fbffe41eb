package udp

import (
	"errors"
	"os"
	"slices"
)

// isAboutDatagram reports whether an error of a read concerns one datagram, which
// the read has taken off the socket, so that the next read can follow at once.
func isAboutDatagram(err error) bool {
	return slices.ContainsFunc(datagramErrors[:], func(e error) bool { return errors.Is(err, e) })
}

// IsTransient reports whether an error of sending may not occur again.
func IsTransient(err error) bool {
	return slices.ContainsFunc(transientErrors[:], func(e error) bool { return errors.Is(err, e) })
}

// After maxErrors consecutive errors, a socket is considered broken.
const maxErrors = 100

// Failures counts consecutive errors of reading a socket. Errors about one datagram and
// ends of deadlines do not count.
type Failures int

// Add counts the error of a read, or nil for a success, and reports whether the
// socket is broken.
func (f *Failures) Add(err error) (broken bool) {
	switch {
	case err == nil:
		*f = 0
	case !isAboutDatagram(err) && !errors.Is(err, os.ErrDeadlineExceeded):
		*f++
	}
	return *f >= maxErrors
}
