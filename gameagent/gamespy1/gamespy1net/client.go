package gamespy1net

import (
	"context"
	"iter"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/internal/exchange"
	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// A Client queries servers and masters. Its zero value is ready. It holds no
// socket, and may be used by several goroutines at once; fields must not change
// while it is used.
type Client struct {
	// Timeout is how long an attempt waits for an answer; 0 means 1 s.
	Timeout time.Duration

	// Attempts is how many times a server is queried before it counts as silent,
	// each time from another port; 0 means 4, so a silent server is known after 4 s.
	Attempts int

	// Rate is how many requests a second a scan sends at most, on average, repeats included;
	// 0 means no other limit than what servers and the network keep up with. A scan starts
	// slowly and speeds up while more answers come back. Only a Rate above 2560 speeds it up
	// without answers, for targets that are mostly silent.
	Rate int

	// Options are the options for decoding answers of servers. The Client itself sets Part and Query.
	Options gamespy1.Options

	// Game is the game whose servers List requests; "" means "serioussamse".
	Game string

	// Key is the key of the game, with which List answers the challenge of the master; ""
	// means [gamespy1.SeriousSamKey].
	Key string

	// ListEvery is the minimum time between two requests to a master for lists. Until
	// then, List returns its last result for the same game. 0 means 2 s; a negative value
	// disables this and the back-off after failures.
	ListEvery time.Duration

	// Dial and Listen open sockets of either address family: Listen for Scan, Dial
	// otherwise, with the network "udp" or, for List, "tcp". nil means sockets of the
	// operating system.
	Dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	Listen func(ctx context.Context) (net.PacketConn, error)

	lists listcache.Cache[Listing] // by master and game
}

// An Answer is the answer of a server.
type Answer struct {
	Message gamespy1.Status

	// Partial reports that Message is not whole: no attempt received all packets of the
	// answer, or it lists fewer players than it counts, or Message is Partial. Some servers
	// omit players. One that lists none of them does so on purpose. Message is from the last
	// attempt that received any of it.
	Partial bool

	RTT      time.Duration // from the request to the last packet of the answer
	Attempts int
}

// Status requests the status and the players of the server at addr, host:port of its query
// port. The answer may list fewer players than it counts.
func (c *Client) Status(ctx context.Context, addr string) (Answer, error) {
	return scan.Query(ctx, c.scanner(), addr, answerOf)
}

// A Result is the outcome for one server of a Scan.
type Result struct {
	Answer

	// Err is [lobbywire.ErrTimeout], [lobbywire.ErrUnreadable] or [lobbywire.ErrLost] if
	// there is no answer. If a request cannot be sent, it is the error of the operating system.
	Err error
}

// Scan requests the status and the players of all targets, which are addresses with query
// ports, and yields results as they arrive, in no particular order. Another goroutine reads
// targets, which may block; see [lobbywire.Scanner]. Scan ends early if ctx is done or no
// socket can be opened; the last result then has that error and no address.
func (c *Client) Scan(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq2[netip.AddrPort, Result] {
	return scan.ByTarget(c.scanner().Scan(ctx, targets), func(r scan.Result) Result {
		a, err := answerOf(r)
		return Result{a, err}
	})
}

// answerOf returns the answer, or the error if there is none.
func answerOf(r scan.Result) (Answer, error) {
	a := Answer{RTT: r.RTT, Attempts: r.Attempts}
	e := exchange.Of[gamespy1.Status](r)
	if e == nil {
		return a, r.Err
	}
	a.Message, a.Partial = e.Message, e.Partial || e.Short
	return a, nil
}

func (c *Client) scanner() *scan.Scanner {
	options := c.Options
	options.Part, options.Query = false, gamespy1.QueryStatus
	return exchange.Scanner(scan.Scanner{
		Listen:     c.Listen,
		Dial:       c.Dial,
		AnswerSize: gamespy1.MaxPacket,
		Attempts:   c.Attempts,
		Timeout:    c.Timeout,
		Rate:       c.Rate,
	}, func() *exchange.Exchange[gamespy1.Status] {
		return exchange.Status(options, "")
	})
}
