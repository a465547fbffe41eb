package protocols

import (
	"errors"
	"syscall"

	"github.com/lobbywire/lobbywire"
)

// A SilenceError is the error for a server of a game whose servers are often silent, with
// the usual reason.
type SilenceError struct {
	Err    error
	Advice string
}

func (e *SilenceError) Error() string { return e.Err.Error() + "; " + e.Advice }

func (e *SilenceError) Unwrap() error { return e.Err }

// advised returns the error of a query, with the advice of the game for a server that is
// silent or does not listen.
func (p Protocol) advised(err error) error {
	isSilent := errors.Is(err, lobbywire.ErrTimeout) && !errors.Is(err, lobbywire.ErrChallengeOnly)
	if p.Advice == "" || !isSilent && !errors.Is(err, syscall.ECONNREFUSED) {
		return err
	}
	return &SilenceError{err, p.Advice}
}
