package lifecycle

import (
	"errors"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
)

// A Status is the status of a registration. Its zero value is the one of a registration that
// has not begun.
type Status struct {
	mu   sync.Mutex
	now  lobbywire.RegistrationStatus
	news bool // Tell has not passed it on
}

// Get returns the status.
func (s *Status) Get() lobbywire.RegistrationStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// Set sets the status. err is why the server is not listed, or nil.
func (s *Status) Set(standing lobbywire.Standing, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.now
	s.now.Standing, s.now.Err = standing, err
	if standing != was.Standing || was.Since.IsZero() {
		s.now.Since = time.Now()
	}
	if standing != was.Standing || (err == nil) != (was.Err == nil) || err != nil && !isRepeated(err, was.Err) {
		s.news = true
	}
}

// Failed sets the status after a failure.
func (s *Status) Failed(err error) { s.Set(StandingAfter(err), err) }

// StandingAfter returns how a server stands after a failure.
func StandingAfter(err error) lobbywire.Standing {
	switch {
	case errors.Is(err, lobbywire.ErrTimeout):
		return lobbywire.StandingSilent
	case errors.Is(err, lobbywire.ErrRefused):
		return lobbywire.StandingRefused
	}
	return lobbywire.StandingUnreachable
}

// HasNews reports whether the status has changed since Tell passed it on.
func (s *Status) HasNews() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.news
}

// Tell passes a changed status on to changed, unless that is nil.
func (s *Status) Tell(changed func(lobbywire.RegistrationStatus)) {
	s.mu.Lock()
	now, news := s.now, s.news
	s.news = false
	s.mu.Unlock()
	if news && changed != nil {
		changed(now)
	}
}
