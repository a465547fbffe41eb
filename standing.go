package lobbywire

import (
	"fmt"
	"time"
)

// A RegistrationStatus says whether a master or lobby lists a server and, if not, why. The
// Status methods of registrations and hosts return it.
type RegistrationStatus struct {
	Standing Standing
	Since    time.Time // when the Standing began; the zero time before the first attempt

	// Err is why the server is not listed; nil if it is, or if nothing has gone wrong. It
	// matches [ErrTimeout] if the master is silent, and [ErrRefused] if it refuses the
	// server.
	Err error
}

// String returns the Standing and, if there is one, the error.
func (s RegistrationStatus) String() string {
	if s.Err == nil {
		return s.Standing.String()
	}
	return s.Standing.String() + ": " + s.Err.Error()
}

// A Standing is the state of a registration with a master or lobby.
type Standing int

// The values of Standing.
const (
	StandingStarting    Standing = iota // there is no answer yet, or no attempt
	StandingListed                      // as far as the protocol shows it
	StandingUnconfirmed                 // announced; the master has not confirmed it, and may never do so
	StandingSilent                      // the master does not answer, or no longer
	StandingRefused                     // the master refuses the server, such as for a wrong key
	StandingUnreachable                 // the address is wrong, cannot be resolved or reached, or is not a master's
	StandingIncomplete                  // the state lacks something that the list needs, or does not fit
	StandingLeft                        // the registration has ended
	standingCount
)

// String returns a name in lower case, such as "listed".
func (s Standing) String() string {
	if s < 0 || s >= standingCount {
		return fmt.Sprintf("Standing(%d)", int(s))
	}
	return [...]string{"starting", "listed", "unconfirmed", "silent", "refused", "unreachable", "incomplete", "left"}[s]
}
