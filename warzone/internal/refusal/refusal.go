// Package refusal contains the texts of refusals by the lobbies of Warzone 2100.
package refusal

import (
	"errors"
	"net/netip"
	"strings"
	"unicode"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
)

// An Error is an error with a text for the peer whose request has failed.
type Error struct {
	err    error
	text   string
	reason lobbywire.Reason
	limit  int // for some reasons
}

// New returns an error with a text for the peer.
func New(reason lobbywire.Reason, err, text string) error {
	return &Error{err: errors.New(err), text: text, reason: reason}
}

// Full returns err with a text for the peer, for a limit on the number of games.
func Full(reason lobbywire.Reason, limit int, err error, text string) error {
	return &Error{err, text, reason, limit}
}

// Unreachable returns err for a game that cannot be reached because of it. If another game,
// or something that is not a game, answers, the reason is lobbywire.ReasonOther.
func Unreachable(err error) error {
	e := &Error{err: err, text: notListed, reason: lobbywire.ReasonUnreachable}
	if other, ok := errors.AsType[*Error](err); ok {
		e.reason, e.text = other.reason, other.text
	} else if malformed, ok := errors.AsType[*lobbywire.Error](err); ok {
		e.err, e.reason = malformed, lobbywire.ReasonOther
	} else if errors.Is(err, lobbywire.ErrUnreadable) {
		e.reason = lobbywire.ReasonOther // a part of an answer
	}
	return e
}

// UnreachableAt returns the error for a game that nobody could join at an address, with a text
// that names it.
func UnreachableAt(at netip.AddrPort) error {
	return &Error{err: errUnreachable, text: UnreachableText(at), reason: lobbywire.ReasonUnreachable}
}

// UnreachableText is the text for the peer whose game nobody could join at an address.
func UnreachableText(at netip.AddrPort) string {
	return "Your game is not listed: nobody could join it at " + at.String() +
		". Look at your firewall and at the port forwarding of your router."
}

var errUnreachable = errors.New("warzone: the game does not answer")

// Of returns the refusal of a game because of err.
func Of(from netip.AddrPort, err error) lobbywire.Refusal {
	r := lobbywire.Refusal{From: from, Reason: lobbywire.ReasonInvalid, Err: err}
	if e, ok := errors.AsType[*Error](err); ok {
		r.Reason, r.Limit, r.Err = e.reason, e.limit, nil
		if e.reason == lobbywire.ReasonUnreachable || e.reason == lobbywire.ReasonOther {
			r.Err = e.err
		}
	}
	return r
}

// Error returns the text for the program.
func (e *Error) Error() string { return e.err.Error() }

// Unwrap returns the error without the text for the peer.
func (e *Error) Unwrap() error { return e.err }

// ErrNoName means that a game has no name.
var ErrNoName = New(lobbywire.ReasonInvalid, "warzone: the game has no name", "Your game has no name.")

// Text returns the text for the peer whose request has failed with err.
func Text(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.text
	}
	return notListed
}

const notListed = "Your game cannot be listed."

// MaxText is the length of the longest text for a peer, in bytes, so that each protocol
// can carry it.
const MaxText = 200

// Shown returns a text in the form that all protocols can carry, with up to size bytes:
// text that is not UTF-8 is converted as [lobbywire.UTF8] does, control characters become
// spaces, and a longer text is cut at a rune.
func Shown(s string, size int) string {
	return warzone.Clip(strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, lobbywire.UTF8(s)), size)
}
