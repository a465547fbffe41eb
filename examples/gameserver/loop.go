package main

import (
	"context"
	"net/netip"
	"sync"
	"time"
)

// loop runs the variant with a loop of its own: in each frame, it answers the datagrams
// that have arrived. Everything runs on one goroutine, except registrations over TCP and
// with masters whose names must be looked up.
func (s *server) loop(ctx context.Context, frames <-chan time.Time) error {
	defer s.at.close()
	ctx, cancel := context.WithCancel(ctx)
	var others sync.WaitGroup
	defer others.Wait()
	defer cancel()
	s.keepListed(ctx, &others)
	for _, r := range s.registrations {
		if !r.master.IsValid() {
			others.Go(func() { _ = r.task.Run(ctx) })
		}
	}
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
			s.advance(now)
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
	return poll(s.at.queries, b, func(from netip.AddrPort, req []byte) {
		// Respond passes datagrams of other protocols to Other.
		b.answers, _ = s.gamespy.Respond(from, req, b.answers[:0])
		for _, answer := range b.answers {
			send(s.at.queries, answer, from)
		}
	})
}

// heartbeat sends the due datagrams to the masters. Their answers arrive like queries.
func (s *server) heartbeat(now time.Time, b *buffers) {
	for _, r := range s.registrations {
		if !r.master.IsValid() {
			continue
		}
		for b.out = r.task.Tick(now, b.out[:0]); len(b.out) > 0; b.out = r.task.Tick(now, b.out[:0]) {
			send(s.at.queries, b.out, r.master)
		}
	}
}

// leave removes the server from the lists of the masters.
func (s *server) leave(b *buffers) {
	for _, r := range s.registrations {
		if !r.master.IsValid() {
			continue // Run leaves
		}
		b.out = r.task.Leave(b.out[:0])
		if len(b.out) > 0 {
			send(s.at.queries, b.out, r.master)
		}
	}
}
