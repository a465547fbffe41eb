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
	// Timeout limits the wait of an attempt for an answer; 0 means 1 s.
	Timeout time.Duration

	// Attempts is the number of attempts, each from another port, before a server counts as
	// silent; 0 means 4, which takes 4 s.
	Attempts int

	// Rate limits the average number of requests per second of a scan, including repeats; 0
	// means that a scan starts slowly and speeds up as long as servers and the network keep
	// up. Only a Rate above 2560 speeds it up without answers, for targets that are mostly
	// silent.
	Rate int

	// Options are the options for decoding answers of servers. The Client itself sets Part
	// and Query.
	Options gamespy1.Options

	// Game is the game whose servers List requests; "" means "serioussamse".
	Game string

	// Key is the key of the game; List uses it to answer the challenge of the master. ""
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

// An Answer is the answer of a server to a query.
type Answer struct {
	Message gamespy1.Status

	// Partial reports that Message is incomplete: no attempt received all packets of the
	// answer, the answer lists fewer players than it counts, or Message is Partial. Some
	// servers omit players; an answer that lists none of them is not Partial. Message is
	// from the last attempt that received a part of it.
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

	// Err is not nil if there is no answer: [lobbywire.ErrTimeout],
	// [lobbywire.ErrUnreadable], [lobbywire.ErrLost], or the error of the operating system
	// if a request could not be sent.
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
