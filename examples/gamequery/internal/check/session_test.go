package check

import (
	"errors"
	"fmt"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
)

// A patient peer counts how often a case waits.
type patient struct {
	Peer
	waits int
}

func (p *patient) Pause(int) { p.waits++ }

// A failing part ends only itself, and a deferred part does not hide why its case failed.
func TestTryEndsOneFailingPart(t *testing.T) {
	s := new(Session)
	first, second := errors.New("first"), errors.New("second")
	after := false
	err := s.Try(func() {
		defer s.Try(func() { s.Fail(second) })
		if got := s.Try(func() { s.Fail(second) }); got != second {
			t.Errorf("a part ended with %v, want %v", got, second)
		}
		s.Fail(first)
		after = true
	})
	if err != first || after {
		t.Errorf("the case ended with %v, want %v; it went on: %v", err, first, after)
	}
}

// From the second try on, a case waits less for a list to change, and a wait in vain is not
// repeated.
func TestEventuallyWaitsLessOnceItWasInVain(t *testing.T) {
	p := new(patient)
	s := &Session{Peer: p}
	waits := func(err error) int {
		p.waits = 0
		if got := s.Try(func() { s.Eventually(func() { s.Fail(err) }) }); got != err {
			t.Errorf("it ended with %v, want %v", got, err)
		}
		return p.waits
	}
	first := waits(ErrNotListed)
	s.Again = true
	again := waits(ErrNotListed)
	s.Again = false
	if later := waits(ErrNotListed); again >= first || later != again {
		t.Errorf("%d waits, then %d, then %d", first, again, later)
	}
	if n := waits(ErrIncomplete); n != 0 {
		t.Errorf("%d waits after a wait in vain", n)
	}
}

// Errors of one kind about one field, or about no field, are one fault.
func TestErrorsOfOneFaultAreAlike(t *testing.T) {
	about := func(field string, err error) error { return &lobbywire.Error{Proto: "sqp", Field: field, Err: err} }
	for _, tt := range []struct {
		a, b error
		want bool
	}{
		{fmt.Errorf("a: %w", fuzzharness.ErrSilent), fuzzharness.ErrSilent, true},
		{about("type", fmt.Errorf("is 1: %w", lobbywire.ErrInvalid)),
			about("type", fmt.Errorf("is 1: %w", lobbywire.ErrInvalid)), true},
		{about("teams[1].name", lobbywire.ErrTruncated), about("teams[2].name", lobbywire.ErrTruncated), true},
		{about("type", lobbywire.ErrInvalid), about("token", lobbywire.ErrInvalid), false},
		{about("type", lobbywire.ErrInvalid), about("type", lobbywire.ErrTruncated), false},
		{errors.New("the state"), errors.New("the state"), false},
	} {
		if got := alike(tt.a, tt.b); got != tt.want {
			t.Errorf("%v and %v: %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}
