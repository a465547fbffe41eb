package stream

import (
	"cmp"
	"context"
	"encoding"
	"time"

	"github.com/lobbywire/lobbywire"
)

// DefaultTimeout is the default of Timeout in clients that send Requests.
const DefaultTimeout = 5 * time.Second

// Whole is the maximum duration of a request, in timeouts.
const Whole = 10

// Requests are how requests are sent, each on a connection of its own.
type Requests struct {
	Timeout  time.Duration // to connect, and for each pause; 0 or less means DefaultTimeout
	Dial     DialFunc
	MaxFrame int
	First    time.Duration // until the answer begins; 0 or less means Timeout
	Frame    time.Duration // for a message; 0 or less means Timeout
	Buffer   int           // as in Limits
}

// Send sends a message.
func Send(c *Conn, m encoding.BinaryAppender) error {
	b, err := m.AppendBinary(nil)
	if err == nil {
		_, err = c.Write(b)
	}
	return err
}

// Do sends a request, unless that is empty, to addr and calls read to read the answer.
// In total it takes at most Whole timeouts. It returns the time from the request to
// the end of the answer.
func (s Requests) Do(
	ctx context.Context, addr string, request []byte, read func(c *Conn) error,
) (rtt time.Duration, err error) {
	timeout := cmp.Or(max(s.Timeout, 0), DefaultTimeout)
	limits := Limits{
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
	c, err := Dial(dialing, s.Dial, addr, limits)
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
		err = c.Outcome(err)
	}
	switch {
	case err == nil:
		return rtt, nil
	case ctx.Err() != nil:
		return 0, context.Cause(ctx)
	}
	return 0, Outcome(err)
}

// Check is Do within one timeout. The errors of a silent and of an absent peer differ.
func (s Requests) Check(ctx context.Context, addr string, request []byte, read func(c *Conn) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	accepted := false
	_, err := s.Do(ctx, addr, request, func(c *Conn) error {
		accepted = true
		return read(c)
	})
	err = Outcome(err)
	if accepted && err == lobbywire.ErrTimeout {
		return silence(s.Timeout)
	}
	return err
}

// A silence is an ErrTimeout of a peer that has accepted the connection.
type silence time.Duration

func (s silence) Error() string {
	return "the connection was accepted, but no answer came within " + time.Duration(s).String()
}

func (silence) Unwrap() error { return lobbywire.ErrTimeout }
