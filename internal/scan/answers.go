package scan

import (
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
)

// arrive handles the datagrams that a socket has received. An answer to an earlier
// attempt counts while its target is being queried.
func (e *engine) arrive(s *socket) error {
	defer s.release()
	if s.err != nil {
		return s.err
	}
	if dropped := s.conn.Dropped(); dropped != s.dropped {
		s.dropped = dropped
		e.window.drop(s.at)
	}
	for i := range s.n {
		from, b, ok := s.conn.Packet(i)
		f := e.flights[from]
		if f == nil {
			continue
		}
		if a := f.attemptOn(s); a == nil {
			continue
		} else if !ok {
			f.heard = true
			f.stray(e.tooLong(), a.answered)
		} else if err := e.handle(f, a, b, s.at); err != nil {
			return err
		}
	}
	return nil
}

// handle handles a datagram for an attempt.
func (e *engine) handle(f *flight, a *attempt, b []byte, at time.Time) error {
	verdict, wrong := a.exchange.Receive(b)
	f.heard = true
	if verdict == Stray {
		f.stray(wrong, a.answered)
		return nil
	}
	f.exchange, f.settling, a.answered = a.exchange, verdict == Maybe, true
	f.rtt = at.Sub(a.sent)
	f.answer(verdict, wrong)
	if verdict != More {
		if !f.repeated { // or it is unknown which request was answered
			e.learned.add(f.rtt)
		}
		e.window.answer(at)
		e.judge(f, a, at)
	}
	switch verdict {
	case Next, Try:
		e.send(f, a, at)
	case NextPort:
		s, err := e.nextSocket(f)
		if err != nil {
			return err
		}
		a.socket, a.drops = s, s.dropped
		e.send(f, a, at)
	case Done:
		return e.finish(f, nil)
	}
	return nil
}

// judge reports to the window which requests an answer shows to be lost. A request whose
// answer arrives after the next attempt has started counts as lost.
func (e *engine) judge(f *flight, a *attempt, now time.Time) {
	sent, lost := a.sent, a != &f.attempts[len(f.attempts)-1]
	if !a.lost.IsZero() {
		sent, lost = a.lost, true
		a.lost = time.Time{}
	}
	e.window.judge(sent, lost, now)
}

// expire handles flights whose deadlines have passed.
func (e *engine) expire(now time.Time) error {
	for f := range e.expected.due(now) {
		if repeats(f.exchange) {
			e.repeating.add(f)
		} else {
			e.overdue.add(f)
		}
		e.window.silence() // a server that does not answer does not fill the buffer
	}
	for f := range e.repeating.due(now) {
		e.repeat(f, now)
	}
	for _, q := range [...]*queue{&e.overdue, &e.repeated} {
		for f := range q.due(now) {
			if err := e.timeOut(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// repeat sends the last request of a flight again.
func (e *engine) repeat(f *flight, now time.Time) {
	for i := range f.attempts {
		if a := &f.attempts[i]; a.exchange == f.exchange && repeats(a.exchange) {
			e.request(f, a, now)
			f.repeated = true
			a.lost = f.sent
		}
	}
	e.repeated.add(f)
}

// timeOut handles a flight at the end of an attempt.
func (e *engine) timeOut(f *flight) error {
	switch {
	case f.settling:
		return e.finish(f, nil)
	case len(f.attempts) < f.limit(e.Scanner):
		return e.attempt(f)
	case f.progress == enough:
		return e.finish(f, nil)
	case f.refused > 0 && f.refused == f.requests:
		return e.finish(f, f.refusal)
	case f.wrong == nil && e.dropped(f):
		return e.finish(f, lobbywire.ErrLost)
	}
	return e.finish(f, f.failure())
}

// dropped reports whether this machine may have dropped answers to an attempt.
func (e *engine) dropped(f *flight) bool {
	return slices.ContainsFunc(f.attempts, func(a attempt) bool { return a.drops != a.socket.dropped })
}
