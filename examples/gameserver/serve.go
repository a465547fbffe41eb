package main

import (
	"context"
	"errors"
	"sync"
	"time"
)

// serve runs the variant where every server has its own goroutines. The game only
// publishes its state.
func (s *server) serve(ctx context.Context, frames <-chan time.Time) error {
	defer s.at.close()
	ctx, cancel := context.WithCancel(ctx)
	var others sync.WaitGroup
	failed := make(chan error, 2) // one for each goroutine that may fail
	others.Go(func() { failed <- s.gamespy.Serve(s.at.queries) })
	for _, r := range s.registrations {
		others.Go(func() { _ = r.task.Run(ctx) })
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

// play runs the game until ctx is done or a server fails.
func (s *server) play(ctx context.Context, frames <-chan time.Time, failed <-chan error) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return err
		case now := <-frames:
			s.advance(now)
		}
	}
}

// shutdownTime is the time limit for the last answers.
const shutdownTime = 5 * time.Second

func (s *server) shutdown() error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	err := errors.Join(s.gamespy.Shutdown(ctx), s.gameagent.Shutdown(ctx), s.gamespy1.Shutdown(ctx))
	if s.host != nil {
		err = errors.Join(err, s.host.Close())
	}
	return err
}
