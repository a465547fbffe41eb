package scan

import (
	"context"
	"errors"
	"os"
	"time"
)

// drainTime is how long at least the engine waits for datagrams. What is there
// already is read in that time.
const drainTime = 100 * time.Microsecond

// maxBacklog is after how many datagrams, without a pause between them, time
// ends for flights all the same: no receive buffer holds so many.
const maxBacklog = 1 << 16

// wait handles what comes first: datagrams, or the end of someone's time. Time
// ends only for those whose answers are not waiting to be read, however late
// this machine is itself.
func (e *engine) wait() error {
	now := time.Now()
	until := e.nextDeadline()
	if soon := now.Add(drainTime); until.Before(soon) {
		until = soon
	}
	s, err := e.receive(until)
	if err != nil {
		return err
	}
	if s != nil {
		e.backlog += s.n
		more := s.conn.Full() && e.backlog < maxBacklog
		if err := e.arrive(s); err != nil || more {
			return err
		}
	}
	e.backlog = 0
	return e.expire(now)
}

// receive returns the socket that received something, or nil if none did.
func (e *engine) receive(until time.Time) (*socket, error) {
	if len(e.sockets) == 1 {
		return e.receiveFirst(until)
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case s := <-e.received:
		return s, nil
	case <-timer.C:
		return nil, nil
	case <-e.ctx.Done():
		return nil, context.Cause(e.ctx)
	}
}

// receiveFirst reads the only socket. Most answers come to it, and to wake a
// reader for them costs more than to read them.
func (e *engine) receiveFirst(until time.Time) (*socket, error) {
	s := e.sockets[0]
	if err := s.pc.SetReadDeadline(until); err != nil {
		return nil, err
	}
	if e.ctx.Err() != nil { // which woke nobody if it was before
		return nil, context.Cause(e.ctx)
	}
	switch err := s.receive(); {
	case err == nil:
		return s, nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		s.failures = 0
	case s.isBroken(err):
		return nil, err
	}
	return nil, nil
}

// startReaders makes a reader for each socket that has none.
func (e *engine) startReaders() error {
	for _, s := range e.sockets {
		if s.ended != nil {
			continue
		}
		if err := s.pc.SetReadDeadline(time.Time{}); err != nil {
			return err
		}
		s.ended = make(chan struct{})
		go s.read(e.received, e.stop)
	}
	return nil
}
