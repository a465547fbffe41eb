package main

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"
)

// loop is the variant with a loop of its own: each frame answers what has come
// in, on sockets that nobody else reads. Everything happens on one goroutine,
// unless the game is to be listed over TCP.
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

// buffers are used again in each frame, so that no query costs memory.
type buffers struct {
	in      [maxRequest]byte
	out     []byte
	answers [][]byte
}

// answer answers what has come in.
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

// heartbeat sends what the GameAgent master has to hear now. Its challenges come
// in as queries do.
func (s *server) heartbeat(now time.Time, b *buffers) {
	r := s.registration
	if r == nil {
		return
	}
	for b.out = r.Tick(now, b.out[:0]); len(b.out) > 0; b.out = r.Tick(now, b.out[:0]) {
		send(s.at.gameagent, b.out, s.master)
	}
}

// leave tells the GameAgent master that the server is gone, if there is a way to.
func (s *server) leave(b *buffers) {
	if s.registration == nil {
		return
	}
	if b.out = s.registration.Leave(b.out[:0]); len(b.out) > 0 {
		send(s.at.gameagent, b.out, s.master)
	}
}
