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

// Defaults and bounds.
const (
	// maxInFlight bounds the servers that may still answer. It bounds memory.
	maxInFlight = 1 << 16

	// minPorts is the least number of sockets of a scan of many targets. A flight
	// uses one for each attempt and one for each NextPort.
	minPorts = 16

	// portTargets is how many consecutive targets use the same sockets. Fewer
	// would share a system call. The first use fewer, so that small scans use many
	// ports too.
	portTargets = 16

	// kernelOverhead is about how many bytes of a receive buffer a datagram uses
	// in addition to its length.
	kernelOverhead = 768

	// A server keeps its place at least for minHold, at most until Timeout, and for usualHold
	// before the first round trip.
	minHold   = 5 * time.Millisecond
	usualHold = 100 * time.Millisecond
)

// A Scanner queries servers. All fields except Rate, Alike and Settle must be set; see SetDefaults.
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
	extra       int           // attempts at a server that has only answered a challenge
	Rate        int           // of requests of Scan, a second at most; 0 means what the window allows

	// Alike reports that attempts at a silent server send the same request, so that an
	// answer to a later one shows that an earlier one was lost.
	Alike bool

	// Settle is how long Ask waits after a Maybe, within Timeout. Scan waits
	// until Timeout. Exchanges without a Maybe need none.
	Settle time.Duration
}

// SetDefaults sets fields that are zero or negative: Listen and Dial to UDP sockets of
// either address family, Attempts to 4 and Timeout to 1 s.
func (s *Scanner) SetDefaults() {
	if s.Listen == nil {
		s.Listen = func(ctx context.Context) (net.PacketConn, error) {
			return new(net.ListenConfig).ListenPacket(ctx, "udp", ":0")
		}
	}
	if s.Dial == nil {
		s.Dial = new(net.Dialer).DialContext
	}
	if s.Attempts <= 0 {
		s.Attempts, s.extra = 4, 4
	}
	if s.Timeout <= 0 {
		s.Timeout = time.Second
	}
}

// Scan queries all targets and yields results as they arrive, in no particular
// order. Another goroutine reads targets, a few hundred ahead of the queries. If ctx is
// done or a socket fails, Scan ends with a Result that has that error and no target.
//
// Scan ends at once, even if targets is blocked. The goroutine that reads targets then
// ends when they next yield.
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

var (
	errStopped   = errors.New("stopped") // the caller has ended the iteration
	errNoTargets = errors.New("the targets of the scan are nil")
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

// waiting is how a scan waits for datagrams.
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

// launchAll launches the targets that are known and have room, but not without end:
// targets that are being queried need none.
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

// flush sends what is queued and ends the flights whose requests were refused, unless that
// may pass.
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
