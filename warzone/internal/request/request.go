// Package request sends requests to lobbies and to the hosts of games, each on a separate
// TCP connection.
package request

import (
	"cmp"
	"context"
	"encoding"
	"errors"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
)

// DefaultTimeout is the default of Timeout in clients.
const DefaultTimeout = 5 * time.Second

// Whole is how many timeouts a request takes at most.
const Whole = 10

// Settings are how requests are sent.
type Settings struct {
	Timeout  time.Duration // to connect, and for each pause; up to 0 means DefaultTimeout
	Dial     stream.DialFunc
	MaxFrame int
	First    time.Duration // until the answer begins; up to 0 means Timeout
	Frame    time.Duration // for a message; up to 0 means Timeout
	Buffer   int           // as in stream.Limits
}

// Send sends a message.
func Send(c *stream.Conn, m encoding.BinaryMarshaler) error {
	b, err := m.MarshalBinary()
	if err == nil {
		_, err = c.Write(b)
	}
	return err
}

// Do sends a request, unless that is empty, to addr and calls read to read the answer.
// In total it takes at most Whole timeouts. It returns the time from the request to
// the first bytes of the answer.
func (s Settings) Do(
	ctx context.Context, addr string, request []byte, read func(c *stream.Conn) error,
) (rtt time.Duration, err error) {
	timeout := cmp.Or(max(s.Timeout, 0), DefaultTimeout)
	limits := stream.Limits{
		First:    cmp.Or(max(s.First, 0), timeout),
		Frame:    cmp.Or(max(s.Frame, 0), timeout),
		Idle:     timeout,
		Write:    timeout,
		MaxFrame: s.MaxFrame,
		Buffer:   s.Buffer,
	}
	within, cancel := context.WithTimeout(ctx, Whole*timeout)
	defer cancel()
	dialing, cancelDialing := context.WithTimeout(within, timeout)
	defer cancelDialing()
	c, err := stream.Dial(dialing, s.Dial, addr, limits)
	if err == nil {
		defer c.Close()
		defer c.EndWith(within)()
		start := time.Now()
		if len(request) > 0 {
			_, err = c.Write(request)
		}
		if err == nil {
			err = read(c)
		}
		rtt = c.Heard().Sub(start)
	}
	switch {
	case err == nil:
		return rtt, nil
	case ctx.Err() != nil:
		return 0, context.Cause(ctx)
	}
	return 0, stream.Outcome(err)
}

// Check is Do within one timeout.
func (s Settings) Check(ctx context.Context, addr string, request []byte, read func(c *stream.Conn) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	_, err := s.Do(ctx, addr, request, read)
	return stream.Outcome(err)
}

// ErrOtherGame means that another game answers at an address than its host has announced,
// for example one that was started earlier on the same machine.
var ErrOtherGame = refusal.New(lobbywire.ReasonOther, "warzone: another game answers",
	"Another game answers at the address of your game.")

// Reply returns a function that reads the answer of a host, after which nothing follows.
// It fails with ErrOtherGame if the answer is from another game.
func Reply[M any](parse func(b []byte) (M, error), isGame func(m M) bool) func(c *stream.Conn) error {
	return func(c *stream.Conn) error {
		m, err := stream.Next(c, func(b []byte) (m M, rest []byte, err error) {
			m, err = parse(b)
			if errors.Is(err, lobbywire.ErrTruncated) {
				return m, b, lobbywire.ErrTruncated
			}
			return m, nil, err
		})
		if err == nil && !isGame(m) {
			return ErrOtherGame
		}
		return err
	}
}
