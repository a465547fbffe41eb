package main

import (
	"context"
	"errors"
	"net"

	"github.com/lobbywire/lobbywire/examples/sidecar/internal/game"
)

// wait waits for the end: of the game, if the sidecar has started it, otherwise of ctx or
// the parent, or for an error from ended.
func (s *sidecar) wait(ctx context.Context, ended <-chan error) error {
	var parent <-chan struct{}
	if s.EndWithParent {
		parent = parentEnds(ctx)
	}
	if len(s.command) > 0 {
		return s.play(parent, ended)
	}
	game.ReapOrphans()
	select {
	case err := <-ended:
		if errors.Is(err, errInputEnded) {
			s.log.Print(err)
			return nil
		}
		return err
	case <-parent:
		s.log.Print("the parent has ended")
	case <-ctx.Done():
	}
	return nil
}

// play starts the game and waits for its end. Signals that end the sidecar are passed to
// the game, which decides when it ends.
func (s *sidecar) play(parent <-chan struct{}, ended <-chan error) error {
	stdin := s.stdin
	if s.source() == sourceLines {
		stdin = nil // its lines are states
	}
	var variables []string
	if s.feed != nil {
		variables = append(variables, stateVariable+"="+urlOf(s.feed.Addr()))
	}
	g, err := game.Start(s.command, stdin, variables...)
	if err != nil {
		return err
	}
	for {
		select {
		case <-g.Done():
			return g.Err()
		case <-parent:
			s.log.Print("the parent has ended: ending the game")
			parent = nil
			g.End()
		case err := <-ended:
			s.log.Printf("%v: ending the game", err)
			g.End()
			<-g.Done()
			return err
		}
	}
}

// stateVariable is the environment variable with the place of reports, for the game.
const stateVariable = "SIDECAR_STATE"

// urlOf returns the URL, or unix:PATH, of a listener.
func urlOf(at net.Addr) string {
	if at.Network() == "unix" {
		return unixPrefix + at.String()
	}
	return "http://" + at.String()
}
