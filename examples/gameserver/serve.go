package main

import (
	"context"
	"errors"
	"sync"
	"time"
)

// serve is the variant in which every server has goroutines of its own. The
// game only says what is new.
func (s *server) serve(ctx context.Context, frames <-chan time.Time) error {
	defer s.at.close()
	ctx, cancel := context.WithCancel(ctx)
	var others sync.WaitGroup
	failed := make(chan error, 4) // of those that end when they are told to, or fail
	others.Go(func() { failed <- s.sqp.Serve(s.at.sqp) })
	others.Go(func() { failed <- s.gamespy.Serve(s.at.gamespy) })
	others.Go(func() { failed <- s.gameagent.Serve(s.at.gameagent) })
	if s.registration != nil {
		others.Go(func() { _ = s.registration.Run(ctx) })
	}
	if s.host != nil {
		others.Go(func() { failed <- s.host.ServeAlive(s.at.game) })
	}
	s.keepListed(ctx, &others)

	err := s.play(ctx, frames, failed)
	cancel()
	err = errors.Join(err, s.shutdown())
	others.Wait()
	return err
}

// play lets the game go on until ctx is done or something fails.
func (s *server) play(ctx context.Context, frames <-chan time.Time, failed <-chan error) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return err
		case now := <-frames:
			if err := s.advance(now); err != nil {
				return err
			}
		}
	}
}

// shutdownTime is how long the last answers may take.
const shutdownTime = 5 * time.Second

func (s *server) shutdown() error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	err := errors.Join(s.sqp.Shutdown(ctx), s.gamespy.Shutdown(ctx), s.gameagent.Shutdown(ctx))
	if s.host != nil {
		err = errors.Join(err, s.host.Close())
	}
	return err
}
