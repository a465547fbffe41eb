package gamespy2net

import (
	"cmp"
	"context"
	"iter"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// A Protocol is one of the forms of query that servers answer.
type Protocol int

// The protocols.
const (
	// Auto tries the others in the order below, one with each attempt, until the
	// server answers. If an answer in one packet lists fewer players than it counts,
	// Auto also queries for a split answer.
	Auto Protocol = iota

	Challenge // a challenge request, then a query for a split answer with the challenge, if there is one
	Split     // a query for a split answer without a challenge, as of Battlefield 2: "v3"
	Plain     // a query for an answer in one packet: "v2"
)

// A Client queries servers and masters. Its zero value is ready. It holds no socket,
// and may be used by several goroutines at once; fields must not change while it is
// used.
type Client struct {
	// Protocol is the form of query.
	Protocol Protocol

	// Timeout is how long an attempt waits for each answer; 0 means 1 s.
	Timeout time.Duration

	// Attempts is how many times a server is queried before it counts as silent;
	// 0 means 4. A server that answers a challenge request but not the query gets
	// twice as many.
	Attempts int

	// ListEvery is the minimum time between two requests to a master for lists. Until
	// then, List returns its last result for the same query. 0 means 2 s; a negative
	// value disables this and the back-off after failures.
	ListEvery time.Duration

	// ViewQuery is the query of ListViews.
	ViewQuery ListQuery

	// Dial and Listen open sockets: Dial for Query, over the network "udp", and for
	// List and Subscribe, over "tcp"; Listen for Scan. Each call must use another port.
	// nil means sockets of the operating system, for either address family.
	Dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	Listen func(ctx context.Context) (net.PacketConn, error)

	lists listcache.Cache[Listing] // by master and query
}

// An Answer is the answer of a server.
type Answer struct {
	gamespy2.Response

	// Partial reports that packets are missing, that the server cut the answer, or
	// that Info counts more players than Players lists. Servers do not list players
	// who are still connecting.
	Partial bool

	RTT      time.Duration // from the last request to the last packet
	Attempts int
}

// Query requests all sections from the server at addr, host:port of its query
// port.
func (c *Client) Query(ctx context.Context, addr string) (Answer, error) {
	return scan.Query(ctx, c.scanner(), addr, answerOf)
}

// A Result is the outcome for one server of a Scan.
type Result struct {
	Answer

	// Err is [lobbywire.ErrTimeout] or [lobbywire.ErrLost] if no packet arrived. If a
	// request cannot be sent, it is the error of the operating system.
	Err error
}

// Scan queries all targets, which are addresses with query ports, and yields
// results as they arrive, in no particular order. Another goroutine reads targets,
// which may block; see [lobbywire.Scanner]. Scan ends early if ctx is done or no socket
// can be opened; the last result then has that error and no address.
func (c *Client) Scan(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq2[netip.AddrPort, Result] {
	return scan.ByTarget(c.scanner().Scan(ctx, targets), func(r scan.Result) Result {
		a, err := answerOf(r)
		return Result{a, err}
	})
}

// answerOf returns the answer, or the error if there is none.
func answerOf(r scan.Result) (Answer, error) {
	a := Answer{RTT: r.RTT, Attempts: r.Attempts}
	e, ok := r.Exchange.(*exchange)
	if !ok {
		return a, r.Err
	}
	var err error
	a.Response, err = e.response(r.Err)
	a.Partial = a.Response.Partial || isShort(&a.Response)
	return a, err
}

func (c *Client) scanner() *scan.Scanner {
	s := &scan.Scanner{
		Listen:      c.Listen,
		Dial:        c.Dial,
		MaxDatagram: maxDatagram,
		AnswerSize:  2 * gamespy2.MaxPacket,
		Attempts:    cmp.Or(max(c.Attempts, 0), 4),
		Timeout:     c.Timeout,
		Start: func(_ netip.AddrPort, attempt int, last scan.Exchange) scan.Exchange {
			before, _ := last.(*exchange)
			return newExchange(c.Protocol, attempt, before)
		},
	}
	s.SetDefaults()
	return s
}
