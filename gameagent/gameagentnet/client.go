package gameagentnet

import (
	"context"
	"iter"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
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

	// Silence ends answers without an end mark: they are complete after this time without a
	// packet, or after Timeout. 0 means 250 ms.
	Silence time.Duration

	// ViewPlayers makes ScanViews request the players, too, as FullStatus does, for the
	// Roster of views.
	ViewPlayers bool

	// Options are the options for decoding answers of servers. The Client itself sets Part.
	Options gameagent.Options

	// ListEvery is the minimum time between two requests to a master for lists.
	// Until then, List returns its last result. 0 means 2 s; a negative value disables
	// this and the back-off after failures.
	ListEvery time.Duration

	// Dial and Listen open sockets of either address family: Listen for Scan, Dial
	// otherwise. nil means sockets of the operating system.
	Dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	Listen func(ctx context.Context) (net.PacketConn, error)

	lists listcache.Cache[Listing] // by master
}

// An Answer is the answer of a server to a query.
type Answer[M any] struct {
	Message M

	// Partial reports that Message is incomplete: no attempt received all datagrams of the
	// answer, or the answer lists fewer players than it counts. Some servers omit players;
	// an answer that lists none of them is not Partial. Message is from the last attempt
	// that received a part of it.
	Partial bool

	RTT      time.Duration // from the request to the last datagram of the answer
	Attempts int
}

// Status requests the status of the server at addr, host:port of its query port.
func (c *Client) Status(ctx context.Context, addr string) (Answer[gameagent.Status], error) {
	return ask(ctx, c, addr, newStatusExchange)
}

// Players requests the players of the server at addr. The answer may list fewer
// players than it counts: some servers omit players, and the loss of a datagram in
// the middle of an answer cannot be detected.
func (c *Client) Players(ctx context.Context, addr string) (Answer[gameagent.Players], error) {
	return ask(ctx, c, addr, newPlayersExchange)
}

// FullStatus requests the status of the server at addr, and then its players. The answer
// is Partial if the players, or some of them, are missing.
func (c *Client) FullStatus(ctx context.Context, addr string) (Answer[FullStatus], error) {
	return ask(ctx, c, addr, newFullExchange)
}

// Ping requests the number of players of the server at addr. It has the
// shortest answer, so it is useful to measure the round-trip time.
func (c *Client) Ping(ctx context.Context, addr string) (Answer[gameagent.Ping], error) {
	return ask(ctx, c, addr, newPingExchange)
}

// ask queries one server.
func ask[M any](ctx context.Context, c *Client, addr string,
	start func(gameagent.Options) *exchange.Exchange[M],
) (Answer[M], error) {
	return scan.Query(ctx, scanner(c, start, gameagent.MaxPacket), addr, answerOf[M])
}

// answerOf returns the answer, or the error if there is none.
func answerOf[M any](r scan.Result) (Answer[M], error) {
	a := Answer[M]{RTT: r.RTT, Attempts: r.Attempts}
	e := exchange.Of[M](r)
	if e == nil {
		return a, r.Err
	}
	a.Message, a.Partial = e.Message, e.Partial || e.Short
	return a, nil
}

// A Result is the outcome for one server of a scan.
type Result[M any] struct {
	Answer[M]

	// Err is not nil if there is no answer: [lobbywire.ErrTimeout],
	// [lobbywire.ErrUnreadable], [lobbywire.ErrLost], or the error of the operating system
	// if a request could not be sent.
	Err error
}

// Scan requests the status of all targets, which are addresses with query ports,
// and yields results as they arrive, in no particular order. Another goroutine reads
// targets, which may block; see [lobbywire.Scanner]. Scan ends early if ctx is done or no
// socket can be opened; the last result then has that error and no address.
func (c *Client) Scan(
	ctx context.Context, targets iter.Seq[netip.AddrPort],
) iter.Seq2[netip.AddrPort, Result[gameagent.Status]] {
	return scanAll[gameagent.Status](ctx, scanner(c, newStatusExchange, usualStatus), targets)
}

// FullScan is Scan for the status and the players, as in [Client.FullStatus].
func (c *Client) FullScan(
	ctx context.Context, targets iter.Seq[netip.AddrPort],
) iter.Seq2[netip.AddrPort, Result[FullStatus]] {
	return scanAll[FullStatus](ctx, scanner(c, newFullExchange, gameagent.MaxPacket), targets)
}

func scanAll[M any](
	ctx context.Context, s *scan.Scanner, targets iter.Seq[netip.AddrPort],
) iter.Seq2[netip.AddrPort, Result[M]] {
	return scan.ByTarget(s.Scan(ctx, targets), func(r scan.Result) Result[M] {
		a, err := answerOf[M](r)
		return Result[M]{a, err}
	})
}

// usualStatus is the size of a usual answer.
const usualStatus = 256

func scanner[M any](c *Client, start func(gameagent.Options) *exchange.Exchange[M], answerSize int) *scan.Scanner {
	options := c.Options
	options.Part = false
	return exchange.Scanner(scan.Scanner{
		Listen:     c.Listen,
		Dial:       c.Dial,
		AnswerSize: answerSize,
		Attempts:   c.Attempts,
		Timeout:    c.Timeout,
		Rate:       c.Rate,
		Settle:     c.Silence,
	}, func() *exchange.Exchange[M] { return start(options) })
}
