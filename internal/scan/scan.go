package scan

import (
	"context"
	"errors"
	"iter"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// Defaults and bounds.
const (
	// minWindow and maxWindow bound how many servers are expected to answer at
	// one time. Between them the window doubles with each round trip, up to the
	// capacity of the receive buffer. 256 allow 2500 servers a second if a round
	// trip takes 100 ms. If it takes far less, more answers would queue up, on a
	// busy machine for longer than the time-out.
	minWindow = 64
	maxWindow = 256

	// maxInFlight bounds the servers that may still answer. It bounds memory.
	maxInFlight = 1 << 16

	// kernelOverhead is about how many bytes of a receive buffer a datagram uses
	// in addition to its length.
	kernelOverhead = 768

	// minHold and maxHold bound how long a server keeps its place. It is maxHold
	// before the first round trip.
	minHold = 5 * time.Millisecond
	maxHold = 100 * time.Millisecond
)

// A Scanner queries servers. All fields except Settle must be set; see SetDefaults.
type Scanner struct {
	// Listen opens a socket for Scan, Dial one for Ask.
	Listen func(ctx context.Context) (net.PacketConn, error)
	Dial   func(ctx context.Context, network, addr string) (net.Conn, error)

	// Start begins an attempt, numbered from 0. last is the Exchange of the
	// attempt before, nil for the first.
	Start func(target netip.AddrPort, attempt int, last Exchange) Exchange

	MaxDatagram int           // longer answers are strays
	AnswerSize  int           // of a usual answer, in bytes, all packets together
	Attempts    int           // at each server, at least 1
	Timeout     time.Duration // of each attempt

	// Settle is how long Ask waits after a Maybe, within Timeout. Scan waits
	// until Timeout. Exchanges without a Maybe need none.
	Settle time.Duration
}

// Scan queries all targets and yields results as they arrive, in no order. It reads
// targets only as fast as it queries them. If ctx is done or a socket fails, it ends
// with a Result that has that error and no target.
func (s *Scanner) Scan(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq[Result] {
	return func(yield func(Result) bool) {
		e := &engine{
			Scanner:  s,
			ctx:      ctx,
			yield:    yield,
			flights:  make(map[netip.AddrPort]*flight),
			received: make(chan *socket),
			stop:     make(chan struct{}),
			window:   minWindow,
		}
		defer e.close()
		if err := e.run(targets); err != nil && !errors.Is(err, errStopped) {
			yield(Result{Err: err})
		}
	}
}

// errStopped means that the caller has ended the iteration.
var errStopped = errors.New("stopped")

// engine is one scan.
type engine struct {
	*Scanner
	ctx     context.Context
	yield   func(Result) bool
	sockets []*socket

	flights   map[netip.AddrPort]*flight
	expected  queue // flights with a place, until the time by which they likely answer
	overdue   queue // flights without, until the end of their attempt
	window    int
	maxWindow int
	learned   rtt

	received chan *socket // those that have read datagrams, if they have readers
	stop     chan struct{}
	backlog  int // datagrams since there were none left to read
	buf      []byte
}

func (e *engine) run(targets iter.Seq[netip.AddrPort]) error {
	if err := e.open(0); err != nil {
		return err
	}
	defer context.AfterFunc(e.ctx, e.sockets[0].wake)()
	next, stop := iter.Pull(targets)
	defer stop()
	more := true
	for {
		for more && e.hasRoom() {
			var target netip.AddrPort
			if target, more = next(); more {
				if err := e.launch(target); err != nil {
					return err
				}
			}
		}
		e.flush()
		if len(e.flights) == 0 && !more {
			return nil
		}
		if err := e.wait(); err != nil {
			return err
		}
	}
}

func (e *engine) hasRoom() bool {
	return e.expected.len < e.window && len(e.flights) < maxInFlight
}

// hold is how long a flight keeps its place.
func (e *engine) hold() time.Duration {
	return e.learned.likely(minHold, min(maxHold, e.Timeout))
}

// nextDeadline returns when expire must handle a flight.
func (e *engine) nextDeadline() (t time.Time) {
	if f := e.expected.first; f != nil {
		t = f.sent.Add(e.hold())
	}
	if f := e.overdue.first; f != nil && (t.IsZero() || f.sent.Add(e.Timeout).Before(t)) {
		t = f.sent.Add(e.Timeout)
	}
	return t
}

// launch begins with a target, unless it is being queried already.
func (e *engine) launch(target netip.AddrPort) error {
	target = netip.AddrPortFrom(target.Addr().Unmap(), target.Port())
	if e.flights[target] != nil {
		return nil
	}
	f := &flight{target: target}
	f.attempts = f.first[:0]
	e.flights[target] = f
	return e.attempt(f)
}

// attempt begins the next attempt at a flight's target.
func (e *engine) attempt(f *flight) error {
	n := len(f.attempts)
	if err := e.open(n); err != nil {
		return err
	}
	f.exchange, f.settling = e.Start(f.target, n, f.exchange), false
	f.attempts = append(f.attempts, attempt{exchange: f.exchange, drops: e.sockets[n].dropped})
	e.send(f, n, time.Now())
	return nil
}

// send sends the next request of attempt n and gives the flight a place for as
// long as an answer is likely to come.
func (e *engine) send(f *flight, n int, now time.Time) {
	a := &f.attempts[n]
	e.buf = a.exchange.Request(e.buf[:0])
	e.sockets[n].conn.Send(f.target, e.buf)
	a.sent, f.sent = now, now
	f.leave()
	e.expected.add(f)
}

// arrive handles the datagrams that a socket has received. An answer to an earlier
// attempt counts while its target is being queried.
func (e *engine) arrive(s *socket) error {
	defer s.release()
	s.dropped = s.conn.Dropped()
	for i := range s.n {
		from, b, ok := s.conn.Packet(i)
		f := e.flights[from]
		if !ok || f == nil || s.attempt >= len(f.attempts) {
			continue
		}
		a := f.attempts[s.attempt]
		verdict := a.exchange.Receive(b)
		if verdict == Stray {
			continue
		}
		f.exchange, f.settling = a.exchange, verdict == Maybe
		if f.rtt = s.at.Sub(a.sent); verdict != More {
			e.learned.add(f.rtt)
			e.grow()
		}
		switch verdict {
		case Next:
			e.send(f, s.attempt, s.at)
		case Done:
			if err := e.finish(f, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// grow opens the window after an answer, or after the time for one.
func (e *engine) grow() { e.window = min(e.window+1, e.maxWindow) }

// expire handles flights whose time is up.
func (e *engine) expire(now time.Time) error {
	hold := e.hold()
	for f := e.expected.due(now, hold); f != nil; f = e.expected.due(now, hold) {
		e.overdue.add(f)
		e.grow() // a server that does not answer does not fill the buffer
	}
	for f := e.overdue.due(now, e.Timeout); f != nil; f = e.overdue.due(now, e.Timeout) {
		var err error
		switch {
		case f.settling:
			err = e.finish(f, nil)
		case len(f.attempts) < e.Attempts:
			err = e.attempt(f)
		case e.dropped(f):
			err = e.finish(f, lobbywire.ErrLost)
		default:
			err = e.finish(f, lobbywire.ErrTimeout)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// dropped reports whether this machine may have dropped answers to an attempt.
func (e *engine) dropped(f *flight) bool {
	for i, a := range f.attempts {
		if a.drops != e.sockets[i].dropped {
			return true
		}
	}
	return false
}

// finish ends a flight and yields its result.
func (e *engine) finish(f *flight, err error) error {
	f.leave()
	delete(e.flights, f.target)
	r := Result{Target: f.target, Exchange: f.exchange, RTT: f.rtt, Attempts: len(f.attempts), Err: err}
	if !e.yield(r) {
		return errStopped
	}
	return nil
}

func (e *engine) flush() {
	for _, s := range e.sockets {
		s.conn.Flush()
	}
}

// open makes sure that the socket for an attempt is there.
func (e *engine) open(attempt int) error {
	if attempt < len(e.sockets) {
		return nil
	}
	pc, err := e.Listen(e.ctx)
	if err != nil {
		return err
	}
	s := newSocket(pc, attempt, e.MaxDatagram)
	if attempt == 0 {
		e.maxWindow = min(max(udp.ReceiveBuffer(pc)/(e.AnswerSize+kernelOverhead), minWindow), maxWindow)
	}
	e.sockets = append(e.sockets, s)
	if attempt == 0 {
		return nil
	}
	return e.startReaders()
}

// close ends the readers and returns when they are gone.
func (e *engine) close() {
	close(e.stop)
	for _, s := range e.sockets {
		s.close()
	}
}
