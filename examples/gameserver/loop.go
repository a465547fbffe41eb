package main

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"
)

// loop runs the variant with a loop of its own: in each frame, it answers the
// datagrams that have arrived. Everything runs on one goroutine, except registrations
// over TCP.
func (s *server) loop(ctx context.Context, frames <-chan time.Time) error {
	defer s.at.close()
	ctx, cancel := context.WithCancel(ctx)
	var others sync.WaitGroup
	defer others.Wait()
	defer cancel()
	s.keepListed(ctx, &others)
	if s.host != nil {
		defer s.at.game.Close()
		others.Go(s.acceptPlayers)
	}
	var b buffers
	for {
		select {
		case <-ctx.Done():
			s.leave(&b)
			return nil
		case now := <-frames:
			if err := s.advance(now); err != nil {
				return err
			}
			if err := s.answer(&b); err != nil {
				return err
			}
			s.heartbeat(now, &b)
		}
	}
}

// buffers are reused in each frame, so queries allocate nothing.
type buffers struct {
	in      [maxRequest]byte
	out     []byte
	answers [][]byte
}

// answer answers the datagrams that have arrived.
func (s *server) answer(b *buffers) error {
	return errors.Join(
		poll(s.at.sqp, b, func(from netip.AddrPort, req []byte) {
			b.answers = s.sqp.Respond(from, req, b.answers[:0])
			sendAll(s.at.sqp, b.answers, from)
		}),
		poll(s.at.gamespy, b, func(from netip.AddrPort, req []byte) {
			b.answers = s.gamespy.Respond(from, req, b.answers[:0])
			sendAll(s.at.gamespy, b.answers, from)
		}),
		poll(s.at.gameagent, b, func(from netip.AddrPort, req []byte) {
			b.answers = s.gameagent.Respond(from, req, b.answers[:0])
			sendAll(s.at.gameagent, b.answers, from)
		}),
	)
}

// heartbeat sends the datagrams that are due to the GameAgent master. The challenges
// of the master arrive as queries do.
func (s *server) heartbeat(now time.Time, b *buffers) {
	r := s.registration
	if r == nil {
		return
	}
	for b.out = r.Tick(now, b.out[:0]); len(b.out) > 0; b.out = r.Tick(now, b.out[:0]) {
		send(s.at.gameagent, b.out, s.master)
	}
}

// leave tells the GameAgent master that the server has stopped, if it is registered
// there.
func (s *server) leave(b *buffers) {
	if s.registration == nil {
		return
	}
	if b.out = s.registration.Leave(b.out[:0]); len(b.out) > 0 {
		send(s.at.gameagent, b.out, s.master)
	}
}
