package scan

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/udp"
)

const (
	// maxInFlight bounds the servers that may still answer. It bounds memory.
	maxInFlight = 1 << 16

	// kernelOverhead is about how many bytes of a receive buffer a datagram uses
	// in addition to its length.
	kernelOverhead = 768
)

// engine is one scan.
type engine struct {
	*Scanner
	ctx   context.Context
	yield func(Result) bool

	upcoming
	queues
	waiting

	sockets []*socket
	ports   []*socket // in the order in which flights use them; nil until opened
	order   portOrder

	window  window
	learned rtt
	pace    pace

	refusals []refusal
	buf      []byte
}

// upcoming are the targets that are not launched.
type upcoming struct {
	source  *source
	targets []netip.AddrPort // taken from the source
	next    int              // index of the first one
	more    bool             // the source may have more
}

// hasTarget reports whether the next target is known.
func (u *upcoming) hasTarget() bool {
	if u.next == len(u.targets) && u.more {
		u.targets, u.more = u.source.take(u.targets)
		u.next = 0
	}
	return u.next < len(u.targets)
}

// ended reports whether there are no more targets.
func (u *upcoming) ended() bool { return u.next == len(u.targets) && !u.more }

// queues are the flights, by what happens to them next.
type queues struct {
	flights   map[netip.AddrPort]*flight
	expected  queue // that are likely to get an answer soon; they fill the window
	repeating queue // others, until their request is repeated
	overdue   queue // others, until the end of their attempt
	repeated  queue // whose request was repeated, until the end of their attempt
}

// waiting is the way in which a scan waits for datagrams.
type waiting struct {
	poller     udp.Poller // nil if the system has none
	stopWaking func() bool
	ready      []int // sockets with datagrams, from the poller

	received chan *socket // sockets whose readers have read datagrams; without a poller
	stop     chan struct{}
	woken    chan struct{} // ends a wait, or the next one
	backlog  int           // datagrams read without a pause
}

// A refusal is a request that the operating system refused to send, for example because
// the network is unreachable.
type refusal struct {
	socket *socket
	peer   netip.AddrPort
	err    error
}

// errStopped means that the caller has ended the iteration.
var errStopped = errors.New("stopped")

func (e *engine) hasRoom() bool {
	return e.expected.len < int(e.window.size) && len(e.flights) < maxInFlight
}

// nextDeadline returns when expire must handle a flight, the zero Time if there is none.
func (e *engine) nextDeadline() (t time.Time) {
	e.expected.wait = e.learned.likely(minHold, usualHold, e.Timeout)
	e.window.hold = e.expected.wait
	for _, q := range [...]*queue{&e.expected, &e.repeating, &e.overdue, &e.repeated} {
		if q.first == nil {
			continue
		}
		if end := q.first.sent.Add(q.wait); t.IsZero() || end.Before(t) {
			t = end
		}
	}
	return t
}

// attempt starts the next attempt of a flight.
func (e *engine) attempt(f *flight) error {
	s, err := e.nextSocket(f)
	if err != nil {
		return err
	}
	var lost time.Time
	if n := len(f.attempts); n > 0 && !f.heard && (e.Alike || f.progress != silent) {
		lost = f.attempts[n-1].sent
	}
	f.exchange, f.settling = e.Start(f.target, len(f.attempts), f.exchange), false
	f.attempts = append(f.attempts, attempt{exchange: f.exchange, socket: s, lost: lost, drops: s.dropped})
	e.send(f, &f.attempts[len(f.attempts)-1], time.Now())
	return nil
}

// nextSocket returns a socket that f has not used, while there are any.
func (e *engine) nextSocket(f *flight) (*socket, error) {
	if f.ports == 0 {
		f.firstPort = e.order.next()
	}
	n := (f.firstPort + f.ports) % len(e.ports)
	f.ports++
	if e.ports[n] == nil {
		s, err := e.open()
		if err != nil {
			return nil, err
		}
		e.ports[n] = s
	}
	return e.ports[n], nil
}

// send sends the next request of an attempt and gives the flight a place for as
// long as an answer is likely to come.
func (e *engine) send(f *flight, a *attempt, now time.Time) {
	e.request(f, a, now)
	f.sent, f.repeated, f.heard = now, false, false
	f.leave()
	e.expected.add(f)
}

func (e *engine) request(f *flight, a *attempt, now time.Time) {
	e.buf = a.exchange.Request(e.buf[:0])
	f.requests++
	a.socket.conn.Send(f.peer, e.buf)
	a.sent = now
	e.pace.count(now)
}

// finish ends a flight and yields its result.
func (e *engine) finish(f *flight, err error) error {
	f.leave()
	delete(e.flights, f.peer)
	r := Result{Target: f.target, Exchange: f.exchange, RTT: f.rtt, Err: err}
	r.Attempts = min(len(f.attempts), e.Attempts)
	if err != nil {
		r.Wrong = f.wrong
	}
	return e.result(r)
}

func (e *engine) result(r Result) error {
	if !e.yield(r) {
		return errStopped
	}
	return nil
}

// wake ends the wait for datagrams, or the next one. Other goroutines call it.
func (e *engine) wake() {
	select {
	case e.woken <- struct{}{}:
	default:
	}
	if e.poller != nil {
		_ = e.poller.SetDeadline(time.Unix(1, 0))
	}
}

// open opens another socket.
func (e *engine) open() (*socket, error) {
	pc, err := e.Listen(e.ctx)
	if err != nil {
		return nil, err
	}
	s, err := e.newSocket(pc)
	if err != nil {
		pc.Close()
		return nil, err
	}
	s.conn.OnRefusal(func(to netip.AddrPort, err error) {
		e.refusals = append(e.refusals, refusal{s, to, err})
	})
	if len(e.sockets) == 0 {
		e.window = newWindow(udp.ReceiveBuffer(pc)/(e.AnswerSize+kernelOverhead), e.Rate, e.Timeout)
	}
	e.sockets = append(e.sockets, s)
	return s, nil
}

// newSocket returns a socket for pc. With a poller, sockets share memory. Targets are
// servers: a list must not make all machines of a network answer.
func (e *engine) newSocket(pc net.PacketConn) (*socket, error) {
	udp.ForbidBroadcast(pc)
	n := len(e.sockets)
	if n == 0 {
		e.poller = udp.NewPoller(pc)
		if e.poller != nil {
			e.stopWaking = context.AfterFunc(e.ctx, e.wake)
		}
	}
	s := &socket{pc: pc}
	if n == 0 || e.poller == nil {
		s.conn = udp.NewConn(pc, e.MaxDatagram)
	} else {
		s.conn = e.sockets[0].conn.Beside(pc)
	}
	if e.poller != nil {
		return s, e.poller.Add(pc, n)
	}
	s.handled, s.ended = make(chan struct{}), make(chan struct{})
	go s.read(e.received, e.stop)
	return s, nil
}

// close ends the readers and returns when they are gone.
func (e *engine) close() {
	close(e.stop)
	if e.poller != nil {
		e.stopWaking()
		e.poller.Close()
	}
	for _, s := range e.sockets {
		s.close()
	}
}
