package scan

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/udp"
)

// Scan queries all targets and yields results as they arrive, in no particular
// order. Another goroutine reads targets, a few hundred ahead of the queries. If ctx is
// done or a socket fails, Scan ends with a Result that has that error and no target.
//
// Scan ends at once, even if targets is blocked. The goroutine that reads targets ends
// when they next yield.
func (s *Scanner) Scan(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq[Result] {
	return func(yield func(Result) bool) {
		if targets == nil {
			yield(Result{Err: errNoTargets})
			return
		}
		e := &engine{
			Scanner: s,
			ctx:     ctx,
			yield:   yield,
			queues: queues{
				flights:   make(map[netip.AddrPort]*flight),
				repeating: queue{wait: s.Timeout / 2},
				overdue:   queue{wait: s.Timeout},
				repeated:  queue{wait: s.Timeout},
			},
			waiting: waiting{
				received: make(chan *socket),
				stop:     make(chan struct{}),
				woken:    make(chan struct{}, 1),
			},
			pace: newPace(s.Rate),
		}
		defer e.close()
		if err := e.run(targets); err != nil && !errors.Is(err, errStopped) {
			yield(Result{Err: err})
		}
	}
}

var errNoTargets = errors.New("the targets of the scan are nil")

// run launches targets and handles what arrives, until all flights have ended.
func (e *engine) run(targets iter.Seq[netip.AddrPort]) error {
	s, err := e.open()
	if err != nil {
		return err
	}
	e.ports = make([]*socket, max(minPorts, e.Attempts+e.extra+8))
	e.order.ports = rand.Perm(len(e.ports))
	e.ports[e.order.ports[0]] = s
	e.source, e.more = newSource(targets, e.wake), true
	defer e.source.stop()
	for {
		if len(e.ready) == 0 { // one call launches what several sockets have made room for
			if err := e.launchAll(); err != nil {
				return err
			}
		}
		if err := e.flush(); err != nil {
			return err
		}
		if len(e.flights) == 0 && e.ended() {
			return nil
		}
		if err := e.wait(); err != nil {
			return err
		}
	}
}

// launchAll launches the known targets that have room. It stops after a number of them,
// because targets that are already being queried need no room.
func (e *engine) launchAll() error {
	now := time.Now()
	for range readAhead {
		if !e.hasRoom() || !e.hasTarget() || !e.pace.allows(now) {
			break
		}
		target := e.targets[e.next]
		e.next++
		if err := e.launch(target); err != nil {
			return err
		}
	}
	e.window.used = e.expected.len >= int(e.window.size)/2
	return nil
}

// launch starts to query a target, unless it is being queried already.
func (e *engine) launch(target netip.AddrPort) error {
	target = netip.AddrPortFrom(target.Addr().Unmap(), target.Port())
	peer, err := udp.Peer(target)
	if err = cmp.Or(check(target), err); err != nil {
		return e.result(Result{Target: target, Err: err})
	}
	if e.flights[peer] != nil {
		return nil
	}
	f := &flight{target: target, peer: peer}
	f.attempts = f.first[:0]
	e.flights[peer] = f
	return e.attempt(f)
}

// check returns an error for a target that is no valid address and port of a server.
func check(target netip.AddrPort) error {
	switch {
	case !target.IsValid() || target.Addr().IsUnspecified():
		return &net.AddrError{Err: "invalid address", Addr: target.String()}
	case target.Port() == 0:
		return &net.AddrError{Err: "invalid port", Addr: target.String()}
	}
	return nil
}

// flush sends the queued requests and ends the flights whose requests were refused, unless
// the failure is temporary.
func (e *engine) flush() error {
	for _, s := range e.sockets {
		s.conn.Flush()
	}
	for _, r := range e.refusals {
		f := e.flights[r.peer]
		if f == nil || f.attemptOn(r.socket) == nil {
			continue
		}
		if udp.IsTransient(r.err) {
			f.refused++
			f.refusal = r.err
			continue
		}
		if err := e.finish(f, r.err); err != nil {
			return err
		}
	}
	e.refusals = e.refusals[:0]
	return nil
}
