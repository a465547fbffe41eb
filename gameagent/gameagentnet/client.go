package gameagentnet

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// A Client asks servers and masters. Its zero value is ready. It holds no
// socket, and may be used by many goroutines at once; fields must not change
// then.
type Client struct {
	// Form is how Scan and Browse ask for the status.
	Form Form

	// Timeout is how long an attempt waits for an answer; 0 means 1 s.
	Timeout time.Duration

	// Attempts is how often a server is asked, each time from another port; 0
	// means 3.
	Attempts int

	// Silence is how long nothing more must come before an answer of which
	// nothing tells the end is taken as whole; 0 means 250 ms. It does not
	// outlast Timeout.
	Silence time.Duration

	// ListEvery is how often a master is asked for its list: meanwhile List and
	// LegacyList return what they returned before. 0 means 2 s. If negative, it is
	// always, also after failures.
	ListEvery time.Duration

	// Dial and Listen open sockets of either family, if nil those of the system:
	// Listen those for Scan and Browse, Dial all others, of the network "udp" or,
	// for LegacyList, "tcp".
	Dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	Listen func(ctx context.Context) (net.PacketConn, error)

	lists listcache.Cache[Listing] // by master and, in the legacy form, game
}

// An Answer is what a server told, and how it came.
type Answer[M any] struct {
	Message M

	// Partial tells that the server fell silent before the end of an answer of
	// several datagrams, at each attempt. Message is what came in the last that
	// got something.
	Partial bool

	RTT      time.Duration // from the request to the last datagram of the answer
	Attempts int
}

// Status asks the server at addr, host:port of its query port, for its status.
func (c *Client) Status(ctx context.Context, addr string) (Answer[gameagent.Status], error) {
	return ask(ctx, c, addr, func() exchange { return new(statusExchange) }, func(e *statusExchange) (gameagent.Status, bool, bool) {
		return e.status, e.done, false
	})
}

// Players asks the server at addr for its players. The answer may list fewer
// than it counts: some servers leave out players, and nothing tells if a
// datagram from the middle of an answer is lost.
func (c *Client) Players(ctx context.Context, addr string) (Answer[gameagent.Players], error) {
	return ask(ctx, c, addr, func() exchange { return new(playersExchange) }, (*playersExchange).players)
}

// Ping asks the server at addr for the number of its players, which is the
// shortest answer it has, to measure the round trip.
func (c *Client) Ping(ctx context.Context, addr string) (Answer[gameagent.Ping], error) {
	return ask(ctx, c, addr, func() exchange { return new(pingExchange) }, func(e *pingExchange) (gameagent.Ping, bool, bool) {
		return e.ping, e.done, false
	})
}

// LegacyStatus asks the server at addr for its status and players in the legacy
// form. It may list fewer players than it counts, as in Players.
func (c *Client) LegacyStatus(ctx context.Context, addr string) (Answer[gameagent.LegacyStatus], error) {
	return ask(ctx, c, addr, func() exchange { return new(legacyExchange) }, (*legacyExchange).status)
}

// ask asks one server. read takes the outcome out of an exchange: what came, if
// anything did, and if that is a part only.
func ask[M any, E exchange](ctx context.Context, c *Client, addr string, start func() exchange,
	read func(E) (m M, any, partial bool),
) (Answer[M], error) {
	r, err := c.scanner(start, gameagent.MaxPacket).Ask(ctx, addr)
	a := Answer[M]{RTT: r.RTT, Attempts: r.Attempts}
	e, ok := r.Exchange.(E)
	if !ok || err != nil && !errors.Is(err, lobbywire.ErrTimeout) {
		return a, err
	}
	var some bool
	if a.Message, some, a.Partial = read(e); some {
		return a, nil
	}
	return a, because(err, e)
}

// because adds to a time-out what was wrong with what came.
func because(err error, e exchange) error {
	if bad := e.wrong(); bad != nil && err != nil {
		return fmt.Errorf("%w: %w", err, bad)
	}
	return err
}

// Result is one server's outcome in a Scan or in Browse.
type Result struct {
	Status *gameagent.Status       // nil unless it came; FormNative
	Legacy *gameagent.LegacyStatus // the same in FormLegacy

	Partial  bool // Legacy is what came of an answer before silence
	RTT      time.Duration
	Attempts int
	Err      error // [lobbywire.ErrTimeout] or [lobbywire.ErrLost] if there is no status
}

// Scan asks each of targets, query ports, for the status and yields results as
// they come in, in no order. It pulls targets as it has room for them. It ends
// early when ctx is done; then, as when no socket can be had, the last result
// tells and has no address.
func (c *Client) Scan(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq2[netip.AddrPort, Result] {
	start, size := func() exchange { return new(statusExchange) }, usualStatus
	if c.Form == FormLegacy {
		start, size = func() exchange { return new(legacyExchange) }, gameagent.MaxPacket
	}
	return func(yield func(netip.AddrPort, Result) bool) {
		for r, err := range c.scanner(start, size).Scan(ctx, targets) {
			if err != nil {
				yield(netip.AddrPort{}, Result{Err: err})
				return
			}
			if !yield(r.Target, resultOf(r)) {
				return
			}
		}
	}
}

func resultOf(r scan.Result) Result {
	result := Result{RTT: r.RTT, Attempts: r.Attempts, Err: r.Err}
	switch e := r.Exchange.(type) {
	case *statusExchange:
		if e.done {
			result.Status = &e.status
			return result
		}
		result.Err = because(r.Err, e)
	case *legacyExchange:
		m, some, partial := e.status()
		if some {
			result.Legacy, result.Partial, result.Err = &m, partial, nil
			return result
		}
		result.Err = because(r.Err, e)
	}
	return result
}

// Sizes of answers.
const (
	usualStatus = 256

	// maxDatagram is the largest answer a client takes. The engine's have 2049
	// bytes at most.
	maxDatagram = 4096
)

func (c *Client) scanner(start func() exchange, answerSize int) *scan.Scanner {
	s := &scan.Scanner{
		Listen:      c.Listen,
		Dial:        c.Dial,
		MaxDatagram: maxDatagram,
		AnswerSize:  answerSize,
		Attempts:    c.Attempts,
		Timeout:     c.Timeout,
		Settle:      c.Silence,
		Start: func(_ netip.AddrPort, _ int, last scan.Exchange) scan.Exchange {
			e := start()
			if last, ok := last.(exchange); ok {
				e.follow(last)
			}
			return e
		},
	}
	s.SetDefaults()
	if s.Settle == 0 {
		s.Settle = 250 * time.Millisecond
	}
	return s
}
