package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/examples/sidecar/internal/api"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/feeds"
)

// A source supplies the state of the game.
type source int

const (
	sourceHTTP  source = iota
	sourceLines        // of the standard input
	sourceFile
	sourceQueries // of the game
)

// stdinPlace is the place of the standard input.
const stdinPlace = "-"

// source returns where the state comes from.
func (o *options) source() source {
	switch {
	case o.From != "":
		return sourceQueries
	case o.State == stdinPlace:
		return sourceLines
	case isUnix(o.State) || isAddress(o.State):
		return sourceHTTP
	}
	return sourceFile
}

// from returns where the state comes from, in the form of the flags.
func (o *options) from() string { return cmp.Or(o.From, o.State) }

// errInputEnded ends the sidecar: the game that wrote the lines has ended.
var errInputEnded = errors.New("the standard input has ended")

// errNoLastState is the error for the standard input if its last line had an error, or it
// had none.
var errNoLastState = errors.New("the standard input has ended without a valid state in its last line")

// read reads states from their source, except over HTTP, until ctx is done. It sends the
// end of the standard input to ended.
func (s *sidecar) read(ctx context.Context, stdin io.Reader, tasks *sync.WaitGroup, ended chan<- error) {
	switch s.source() {
	case sourceQueries:
		query, at, _ := s.asked() // checked before
		tasks.Go(func() { feeds.Ask(ctx, query, at, time.Duration(s.Every), s.state) })
	case sourceFile:
		tasks.Go(func() { feeds.File(ctx, s.State, s.state) })
	case sourceLines:
		// Not one of the tasks, because nothing ends a read.
		go func() {
			err := feeds.Lines(stdin, s.state)
			switch {
			case err != nil:
			case s.state.Err() != nil || s.state.Now().Heard.IsZero():
				err = errNoLastState
			default:
				err = errInputEnded
			}
			s.failures.close()
			ended <- err
		}()
	}
}

// health returns whether the game reports, at a time.
func (s *sidecar) health(now time.Time) api.Health {
	heard := s.state.Now().Heard
	switch {
	case heard.IsZero():
		return api.Waiting
	case s.Stale > 0 && now.Sub(heard) >= time.Duration(s.Stale):
		return api.Stale
	}
	return api.Fresh
}

// errStale ends the sidecar with -on-stale end.
var errStale = errors.New("the game has stopped to report its state")

// watchReports logs why reports fail, when the game stops reporting and when it reports again, and
// applies -on-stale. It returns an error to end the sidecar, nil if ctx is done.
func (s *sidecar) watchReports(ctx context.Context) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	wasStale := false
	for {
		select {
		case <-ctx.Done():
			return nil
		case now := <-tick.C:
			isStale := s.health(now) == api.Stale
			if isStale != wasStale {
				if err := s.turn(ctx, isStale); err != nil {
					return err
				}
			}
			wasStale = isStale
			s.failures.flush(now)
			for _, a := range s.answers {
				a.Status(now) // measures the rate of queries
			}
		}
	}
}

// lookEvery is how often the sidecar looks whether the game reports.
const lookEvery = 200 * time.Millisecond

// turn applies -on-stale when the state has become stale, and reverts it when the state
// is fresh again.
func (s *sidecar) turn(ctx context.Context, isStale bool) error {
	switch {
	case !isStale:
		s.log.Print("the game reports again")
		s.lists.enter(ctx)
	case s.OnStale == endSidecar:
		return errStale
	case s.OnStale == leaveLists:
		s.log.Printf("%v for %v: leaving the lists", errStale, time.Duration(s.Stale))
		s.lists.exit()
	default:
		s.log.Printf("%v for %v: answering with the last one", errStale, time.Duration(s.Stale))
	}
	return nil
}
