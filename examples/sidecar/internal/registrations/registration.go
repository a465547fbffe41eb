// Package registrations keeps a game in the lists of masters, and reports the standing of
// each registration.
package registrations

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
)

// A Registration keeps the game in the list of one master.
type Registration struct {
	Protocol string
	Master   string // address or URL

	run     func(ctx context.Context) error
	status  func() lobbywire.RegistrationStatus
	setView func(lobbywire.View) (missing string) // nil if the Server has all of the state that the list needs

	complete chan struct{} // a state contains what was missing; nil if setView is

	mu      sync.Mutex
	missing string // what the list needs and the state lacks
	attempt attempt
}

// An attempt is a call of run.
type attempt struct {
	err  error // that ended it
	left bool  // it ended because ctx is done
}

// again is the time after which a registration that ended is tried again.
const again = 5 * time.Second

// Run keeps the game listed until ctx is done, and then removes it from the list. If it
// cannot, for example because the state lacks an address, it tries again.
func (r *Registration) Run(ctx context.Context) {
	for {
		r.note(attempt{})
		err := r.run(ctx)
		if ctx.Err() != nil {
			r.note(attempt{left: true})
			return
		}
		r.note(attempt{err: err})
		select {
		case <-ctx.Done():
		case <-r.complete:
		case <-time.After(again):
		}
	}
}

// note records the outcome of the current attempt.
func (r *Registration) note(a attempt) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.attempt = a
}

// SetView passes the state to lists that describe games. Other masters query the game.
func (r *Registration) SetView(v lobbywire.View) {
	if r.setView == nil {
		return
	}
	missing := r.setView(v)
	r.mu.Lock()
	was := r.missing
	r.missing = missing
	r.mu.Unlock()
	if was != "" && missing == "" {
		select {
		case r.complete <- struct{}{}:
		default: // Run will see it
		}
	}
}

// A Status describes a Registration.
type Status struct {
	Protocol string    `json:"protocol"`
	Master   string    `json:"master"`
	Standing string    `json:"standing"`        // a [lobbywire.Standing]
	Since    time.Time `json:"since,omitzero"`  // when the Standing began, if that is known
	Reason   string    `json:"reason,omitzero"` // why the game is not listed
}

// Status returns the Status.
func (r *Registration) Status() Status {
	s := Status{Protocol: r.Protocol, Master: r.Master}
	r.mu.Lock()
	last, missing := r.attempt, r.missing
	r.mu.Unlock()
	now := r.status()
	switch {
	case last.left: // perhaps before an attempt could begin
		now.Standing, now.Err = lobbywire.StandingLeft, nil
	case missing != "":
		now = lobbywire.RegistrationStatus{Standing: lobbywire.StandingIncomplete, Err: errors.New(missing)}
	case last.err != nil:
		now = lobbywire.RegistrationStatus{Standing: lobbywire.StandingUnreachable, Err: last.err}
	}
	s.Standing, s.Since = now.Standing.String(), now.Since
	if now.Err != nil {
		s.Reason = now.Err.Error()
	}
	return s
}
