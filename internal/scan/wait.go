package scan

import (
	"context"
	"time"
)

// drainTime is the minimum time for which the engine waits for datagrams. It is enough to
// read all that have arrived.
const drainTime = 100 * time.Microsecond

// maxBacklog is how many datagrams without a pause may delay timeouts: no receive
// buffer holds more.
const maxBacklog = 1 << 16

// wait handles datagrams or deadlines, whichever is first. It reads all datagrams
// that have arrived before it lets flights time out, even if this machine is late.
func (e *engine) wait() error {
	now := time.Now()
	until := e.nextDeadline()
	soon := now.Add(drainTime)
	if !until.IsZero() && until.Before(soon) {
		until = soon
	}
	if e.hasRoom() && e.next < len(e.targets) {
		launch := later(soon, e.pace.next)
		if until.IsZero() || launch.Before(until) {
			until = launch
		}
	}
	s, err := e.receive(until)
	if err != nil {
		return err
	}
	if s != nil {
		e.backlog += s.n
		more := (s.conn.Full() || len(e.ready) > 0) && e.backlog < maxBacklog
		if err := e.arrive(s); err != nil || more {
			return err
		}
	}
	e.backlog = 0
	return e.expire(now)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// receive returns the socket that has received datagrams, or nil if wake or until, unless
// it is zero, comes first.
func (e *engine) receive(until time.Time) (*socket, error) {
	if e.poller != nil {
		return e.poll(until)
	}
	var late <-chan time.Time
	if !until.IsZero() {
		timer := time.NewTimer(time.Until(until))
		defer timer.Stop()
		late = timer.C
	}
	select {
	case s := <-e.received:
		return s, nil
	case <-late:
		return nil, nil
	case <-e.woken:
		return nil, nil
	case <-e.ctx.Done():
		return nil, context.Cause(e.ctx)
	}
}

// poll reads the next socket that has datagrams.
func (e *engine) poll(until time.Time) (s *socket, err error) {
	if len(e.ready) == 0 {
		if err := e.poller.SetDeadline(until); err != nil {
			return nil, err
		}
		// These may have happened before the deadline was set.
		if e.ctx.Err() != nil {
			return nil, context.Cause(e.ctx)
		}
		select {
		case <-e.woken:
			return nil, nil
		default:
		}
		e.ready, err = e.poller.Wait()
		if len(e.ready) == 0 {
			return nil, err
		}
	}
	s, e.ready = e.sockets[e.ready[0]], e.ready[1:]
	if !s.note(e.poller.Read(s.conn)) {
		return nil, nil
	}
	return s, nil
}
