package gamespy2net

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// A Protocol is one of the forms of query that servers answer.
type Protocol int

// The protocols.
const (
	// Auto tries the others in the order below, one with each attempt.
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
	// 0 means 3.
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

// An Answer is the answer of a server. Its Partial is set if packets are
// missing.
type Answer struct {
	gamespy2.Response

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
	switch {
	case ok && r.Err == nil:
		a.Response = e.answer
		return a, nil
	case ok && e.parts != nil:
		var err error
		if a.Response, err = e.parts.Response(); err == nil {
			return a, nil
		}
		e.bad = err
	}
	if ok && e.bad != nil {
		return a, fmt.Errorf("%w: %w", r.Err, e.bad)
	}
	return a, r.Err
}

func (c *Client) scanner() *scan.Scanner {
	s := &scan.Scanner{
		Listen:      c.Listen,
		Dial:        c.Dial,
		MaxDatagram: maxDatagram,
		AnswerSize:  2 * gamespy2.MaxPacket,
		Attempts:    c.Attempts,
		Timeout:     c.Timeout,
		Start: func(_ netip.AddrPort, attempt int, last scan.Exchange) scan.Exchange {
			e := &exchange{protocol: c.Protocol}
			if c.Protocol == Auto {
				e.protocol = Challenge + Protocol(attempt)%Plain
			}
			if last, ok := last.(*exchange); ok {
				e.bad = last.bad
				e.parts = last.parts // until this attempt receives a packet
			}
			e.id = newID(e.protocol)
			return e
		},
	}
	s.SetDefaults()
	return s
}

// newID returns a random id. Minecraft keeps only the low half of each byte, so ids of
// queries with a challenge, which Minecraft requires, have 16 random bits. Other ids
// have 32.
func newID(p Protocol) (id [4]byte) {
	n := rand.Uint32()
	if p == Challenge {
		n &= 0x0f0f0f0f
	}
	binary.BigEndian.PutUint32(id[:], n)
	return id
}

// maxDatagram is the largest packet that a client accepts: Minecraft does not
// limit the size of its packet.
const maxDatagram = 8192

// exchange is one attempt.
type exchange struct {
	protocol     Protocol
	id           [4]byte
	hasChallenge bool  // a challenge request was answered
	challenge    int32 // 0: none is needed
	started      bool  // parts are of this attempt
	parts        *gamespy2.Assembler
	answer       gamespy2.Response
	bad          error // error of the last datagram that is not an answer
}

func (e *exchange) Request(b []byte) []byte {
	all := gamespy2.All()
	m := gamespy2.Request{Type: gamespy2.TypeQuery, ID: e.id, Info: all, Players: all, Teams: all}
	switch {
	case e.protocol == Challenge && !e.hasChallenge:
		m = gamespy2.Request{Type: gamespy2.TypeChallenge, ID: e.id}
	case e.protocol != Plain:
		m.Flags = gamespy2.FlagSplit
		m.HasChallenge = e.challenge != 0
		m.Challenge = e.challenge
	}
	b, _ = m.AppendBinary(b) // cannot fail
	return b
}

func (e *exchange) Receive(b []byte) scan.Verdict {
	if e.protocol == Challenge && !e.hasChallenge {
		m, err := gamespy2.ParseChallengeResponse(b)
		if err != nil || m.ID != e.id {
			e.bad = err
			return scan.Stray
		}
		e.hasChallenge, e.challenge = true, m.Number
		return scan.Next
	}
	m, err := gamespy2.Options{Sections: gamespy2.AllSections}.ParseResponse(b)
	if errors.Is(err, lobbywire.ErrUnsupported) {
		return e.receivePart(b)
	}
	return e.receiveWhole(m, err)
}

// receivePart handles a packet of a split answer.
func (e *exchange) receivePart(b []byte) scan.Verdict {
	if p, err := gamespy2.ParsePacket(b); err != nil || p.ID != e.id {
		return scan.Stray
	}
	if !e.started {
		e.started = true
		e.parts = new(gamespy2.Assembler)
	}
	done, err := e.parts.Add(b)
	if err != nil {
		e.bad = err
		return scan.Stray
	}
	if !done {
		return scan.More
	}
	m, err := e.parts.Response()
	return e.receiveWhole(m, err)
}

func (e *exchange) receiveWhole(m gamespy2.Response, err error) scan.Verdict {
	if err != nil || m.ID != e.id {
		e.bad = err
		return scan.Stray
	}
	e.answer = m
	return scan.Done
}
