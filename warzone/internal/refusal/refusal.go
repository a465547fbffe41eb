// Package refusal has the texts with which the lobbies of Warzone 2100 refuse requests.
package refusal

import (
	"errors"
	"strings"
	"unicode"

	"github.com/lobbywire/lobbywire/warzone"
)

// An Error is an error with a text for the peer whose request has failed.
type Error struct {
	err  error
	text string
}

// New returns an error with a text for the peer.
func New(err, text string) error { return Wrap(errors.New(err), text) }

// Wrap returns err with a text for the peer.
func Wrap(err error, text string) error { return &Error{err, text} }

// Error returns the text for the program.
func (e *Error) Error() string { return e.err.Error() }

// Unwrap returns the error without the text for the peer.
func (e *Error) Unwrap() error { return e.err }

// ErrNoName means that a game has no name.
var ErrNoName = New("warzone: the game has no name", "Your game has no name.")

// Text returns the text for the peer whose request has failed with err.
func Text(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.text
	}
	return "Your game cannot be listed."
}

// MaxText is the length of the longest text for a peer, in bytes, so that each protocol
// can carry it.
const MaxText = 200

// Shown returns a text in the form that all protocols can carry, with up to size bytes:
// control characters become spaces, bytes that are not UTF-8 become U+FFFD, and a longer
// text is cut at a rune.
func Shown(s string, size int) string {
	return warzone.Clip(strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c // utf8.RuneError for invalid UTF-8
	}, s), size)
}
