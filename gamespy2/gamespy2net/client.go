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
	"github.com/lobbywire/lobbywire/internal/scan"
)

// A Protocol is a way to ask.
type Protocol int

// The protocols.
const (
	// Auto tries the others, one with each attempt, in their order here.
	Auto Protocol = iota

	Challenge // a challenge first, if the server gives one; then a query for a split answer
	Split     // a query for a split answer, as Battlefield 2 knows it: "v3"
	Plain     // a query for an answer in one packet: "v2"
)

// A Client asks servers. Its zero value is ready. It holds no socket, and may
// be used by many goroutines at once.
type Client struct {
	// Protocol is how to ask.
	Protocol Protocol

	// Timeout is how long an attempt waits for each answer; 0 means 1 s.
	Timeout time.Duration

	// Attempts is how often a server is asked; 0 means 3.
	Attempts int

	// Dial and Listen open sockets: Dial for Query, Listen for Scan. If nil
	// they are UDP sockets of either family.
	Dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	Listen func(ctx context.Context) (net.PacketConn, error)
}

// An Answer is what a server told. It is Partial if packets did not come.
type Answer struct {
	gamespy2.Response

	RTT      time.Duration // from the last request to the last packet
	Attempts int
}

// Query asks the server at addr, host:port of its query port, for everything.
func (c *Client) Query(ctx context.Context, addr string) (Answer, error) {
	r, err := c.scanner().Ask(ctx, addr)
	a, timeout := answerOf(r)
	if errors.Is(err, lobbywire.ErrTimeout) {
		err = timeout
	}
	return a, err
}

// Result is one server's outcome in a Scan.
type Result struct {
	Answer
	Err error // [lobbywire.ErrTimeout] or [lobbywire.ErrLost] if nothing came
}

// Scan asks each of targets, query ports, and yields results as they come in,
// in no order. It pulls targets as it has room for them. It ends early when ctx
// is done; then, as when no socket can be had, the last result tells and has no
// address.
func (c *Client) Scan(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq2[netip.AddrPort, Result] {
	return func(yield func(netip.AddrPort, Result) bool) {
		for r, err := range c.scanner().Scan(ctx, targets) {
			if err != nil {
				yield(netip.AddrPort{}, Result{Err: err})
				return
			}
			a, err := answerOf(r)
			if !yield(r.Target, Result{a, err}) {
				return
			}
		}
	}
}

// answerOf returns what came, and why nothing did.
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
				e.parts = last.parts // until this attempt has something
			}
			// Minecraft looks only at the low half of each byte.
			binary.BigEndian.PutUint32(e.id[:], rand.Uint32()&0x0f0f0f0f)
			return e
		},
	}
	s.SetDefaults()
	return s
}

// maxDatagram is the largest packet a client takes: Minecraft sends one of any
// size.
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
	bad          error // of the last datagram that was no answer
}

func (e *exchange) Request(b []byte) []byte {
	m := gamespy2.Request{Type: gamespy2.TypeQuery, ID: e.id, Info: gamespy2.All(), Players: gamespy2.All(), Teams: gamespy2.All()}
	switch {
	case e.protocol == Challenge && !e.hasChallenge:
		m = gamespy2.Request{Type: gamespy2.TypeChallenge, ID: e.id}
	case e.protocol != Plain:
		m.Flags = gamespy2.FlagSplit
		m.HasChallenge = e.challenge != 0
		m.Challenge = e.challenge
	}
	b, _ = m.AppendBinary(b) // it has nothing to refuse
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

// receivePart takes a packet of a split answer.
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
