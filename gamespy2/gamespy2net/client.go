package gamespy2net

import (
	"context"
	"errors"
	"iter"
	"net"
	"net/netip"
	"os"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/internal/scan"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A Client queries servers and masters. Its zero value is ready. It holds no socket,
// and may be used by several goroutines at once; fields must not change while it is
// used.
type Client struct {
	// Protocol is the form of query.
	Protocol Protocol

	// Timeout limits the wait of an attempt for each answer; 0 means 1 s.
	Timeout time.Duration

	// Attempts is the number of attempts before a server counts as silent; 0 means 4, which
	// takes 4 s.
	Attempts int

	// Rate limits the average number of requests per second of a scan, including repeats; 0
	// means that a scan starts slowly and speeds up as long as servers and the network keep
	// up. Only a Rate above 2560 speeds it up without answers, for targets that are mostly
	// silent.
	Rate int

	// ListEvery is the minimum time between two requests to a master for lists. Until
	// then, List returns its last result for the same query. 0 means 2 s; a negative
	// value disables this and the back-off after failures.
	ListEvery time.Duration

	// ViewQuery is the query of ListViews. Without Fields, it requests for all servers
	// those that a View contains: hostname, hostport, gametype, mapname, gamever,
	// numplayers, maxplayers and password.
	ViewQuery ListQuery

	// Options are the options for decoding answers of servers. Strict and Text also apply
	// to lists. The Client itself sets Challenge, Sections and Part.
	Options gamespy2.Options

	// Dial and Listen open sockets: Dial for Query, over the network "udp", and for
	// List and Subscribe, over "tcp"; Listen for Scan. Each call must use another port.
	// nil means sockets of the operating system, for either address family.
	Dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	Listen func(ctx context.Context) (net.PacketConn, error)

	lists listcache.Cache[Listing] // by master and query
}

// An Answer is the answer of a server to a query.
type Answer struct {
	Message gamespy2.Response

	// Basic takes the place of Message if only the basic stat has arrived; see
	// [ProtocolMinecraft].
	Basic *gamespy2.BasicStat

	// Partial reports that packets are missing, that the server cut the answer, that
	// Info counts more players than Players lists, or that there is only Basic. Servers
	// do not list players who are still connecting.
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

	// Err is not nil if no packet arrived: [lobbywire.ErrTimeout], which may be
	// [lobbywire.ErrChallengeOnly], [lobbywire.ErrUnreadable], [lobbywire.ErrLost], or the
	// error of the operating system if a request could not be sent.
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

// View returns Basic in the common form, or else Response.
func (a Answer) View() lobbywire.View {
	if a.Basic != nil {
		return a.Basic.View()
	}
	return a.Message.View()
}

// answerOf returns the answer, or the error if there is none.
func answerOf(r scan.Result) (Answer, error) {
	a := Answer{RTT: r.RTT, Attempts: r.Attempts}
	e, ok := r.Exchange.(*exchange)
	if !ok {
		return a, r.Err
	}
	if e.basic != nil {
		a.Basic, a.Partial = e.basic, true
		return a, nil
	}
	var err error
	a.Message, err = e.response(r.Err)
	a.Partial = a.Message.Partial || isShort(&a.Message)
	return a, err
}

// settle is the time that a partial answer waits for a complete one.
const settle = 250 * time.Millisecond

func (c *Client) scanner() *scan.Scanner {
	var s *scan.Scanner
	s = &scan.Scanner{
		Listen:      c.Listen,
		Dial:        c.Dial,
		MaxDatagram: udp.MaxDatagram,
		AnswerSize:  2 * gamespy2.MaxPacket,
		Attempts:    c.Attempts,
		Timeout:     c.Timeout,
		Rate:        c.Rate,
		Alike:       c.Protocol != ProtocolAuto,
		Settle:      settle,
		Start: func(_ netip.AddrPort, attempt int, last scan.Exchange) scan.Exchange {
			before, _ := last.(*exchange)
			e := newExchange(c.Protocol, c.Options, attempt, before)
			e.isLast = attempt+1 >= s.Attempts
			return e
		},
	}
	s.SetDefaults()
	return s
}

// Discover finds servers on the local network, as games do: it sends an echo
// request to all targets, which are broadcast addresses with the query port of a
// game, such as 255.255.255.255:29900, and yields the source of each datagram that
// arrives within Timeout, once. It ends early if ctx is done or no socket can be opened;
// the last pair then has that error and no address.
func (c *Client) Discover(ctx context.Context, targets ...netip.AddrPort) iter.Seq2[netip.AddrPort, error] {
	return func(yield func(netip.AddrPort, error) bool) {
		if err := c.discover(ctx, targets, func(from netip.AddrPort) bool { return yield(from, nil) }); err != nil {
			yield(netip.AddrPort{}, err)
		}
	}
}

const maxFound = 1 << 16 // maximum number of addresses from one Discover

// discover returns nil after the timeout, or when found returns false.
func (c *Client) discover(ctx context.Context, targets []netip.AddrPort, found func(netip.AddrPort) bool) error {
	s := c.scanner()
	pc, err := s.Listen(ctx)
	if err != nil {
		return err
	}
	defer pc.Close()
	request := gamespy2.Request{Type: gamespy2.TypeEcho, Data: gamespy2.MakeEchoData([]byte{0})}
	echo, _ := request.AppendBinary(nil) // cannot fail
	conn := udp.NewConn(pc, udp.MaxDatagram)
	sent := 0
	for _, to := range targets {
		n, _ := conn.Send(to, echo)
		sent += n
	}
	n, _ := conn.Flush()
	sent += n
	if sent == 0 && len(targets) > 0 {
		return errors.New("gamespy2net: cannot send to any of the addresses")
	}
	if err := pc.SetReadDeadline(time.Now().Add(s.Timeout)); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { pc.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	seen := make(map[netip.AddrPort]bool)
	for len(seen) < maxFound {
		n, err := conn.Read()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil
		case err != nil:
			return err
		}
		for i := range n {
			from, _, _ := conn.Packet(i)
			if !seen[from] && !found(from) {
				return nil
			}
			seen[from] = true
		}
	}
	return nil
}
