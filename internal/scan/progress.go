package scan

import (
	"fmt"

	"github.com/lobbywire/lobbywire"
)

// progress is the state of the exchanges with a server.
type progress int

const (
	silent  progress = iota
	halfway          // it has answered, for example with a challenge, but with nothing of the result
	some             // a part of the result has arrived
	enough           // the result may be whole, see Try
)

// after returns the progress after a datagram that is not Stray.
func (p progress) after(v Verdict) progress {
	switch v {
	case Try:
		return enough
	case Next:
		return max(p, halfway)
	case More:
		return max(p, some)
	}
	return some
}

// A hearing records what has arrived from a server in all attempts.
type hearing struct {
	progress progress
	wrong    error // with the last datagram that is not an answer, or with what has arrived of one
}

// stray notes a datagram that is not an answer, and its error, if there is one. Anybody
// can send such a datagram, so a real answer counts more, also one to an earlier attempt.
// answered reports whether this attempt has received an answer, so that the datagram may
// be the next one.
func (h *hearing) stray(wrong error, answered bool) {
	if wrong != nil && (h.progress == silent || h.progress == halfway && answered) {
		h.wrong = wrong
	}
}

// answer notes a datagram that is an answer, or a part that is not valid alone.
func (h *hearing) answer(v Verdict, wrong error) {
	h.progress = h.progress.after(v)
	h.wrong = wrong
}

// limit returns the number of attempts at a server. A server that has answered only
// challenges is not silent: by default it gets more attempts, which repeat the last one.
func (h *hearing) limit(s *Scanner) int {
	if h.progress == halfway && h.wrong == nil {
		return s.Attempts + s.extra
	}
	return s.Attempts
}

// failure returns the error for a server without a complete answer. It is not ErrTimeout
// if anything has arrived.
func (h *hearing) failure() error {
	switch {
	case h.wrong != nil:
		return fmt.Errorf("%w: %w", lobbywire.ErrUnreadable, h.wrong)
	case h.progress == halfway:
		return lobbywire.ErrChallengeOnly
	}
	return lobbywire.ErrTimeout
}

// tooLong is the error of a datagram that is longer than MaxDatagram.
func (s *Scanner) tooLong() error {
	return fmt.Errorf("datagram of more than %d bytes: %w", s.MaxDatagram, lobbywire.ErrTooLarge)
}
