package warzonenet

import (
	"context"
	"encoding"
	"errors"
	"net"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/internal/stream"
)

// A LobbyError is the answer of a lobby that refuses a request.
type LobbyError struct {
	Text string // for people; it can be any text, so quote it before showing it
}

// Error returns the start of the text in Go's quotes.
func (e *LobbyError) Error() string {
	if e.Text == "" {
		return "warzonenet: the lobby refuses"
	}
	return "warzonenet: the lobby refuses: " + strconv.Quote(shown(e.Text, maxReason))
}

// isRefusal reports whether a lobby has refused a request.
func isRefusal(err error) bool {
	_, ok := errors.AsType[*LobbyError](err)
	return ok
}

// errNoAnswer means that a lobby sent a valid answer that does not fit the
// request.
var errNoAnswer = errors.New("warzonenet: the lobby answers something else")

// A requester sends requests, each on a separate connection.
type requester struct {
	timeout  time.Duration // to connect, and for each pause; 0 means clientTimeout
	dial     func(ctx context.Context, network, addr string) (net.Conn, error)
	maxFrame int
	first    time.Duration // until the answer begins; 0 means timeout
	frame    time.Duration // for a message; 0 means timeout
	buffer   int           // as in stream.Limits
}

// send sends a message.
func send(c *stream.Conn, m encoding.BinaryMarshaler) error {
	b, err := m.MarshalBinary()
	if err == nil {
		_, err = c.Write(b)
	}
	return err
}

// wholeRequest is how many timeouts a request takes at most.
const wholeRequest = 10

// do sends a request, unless that is empty, to addr and calls read to read the answer.
// In total it takes at most wholeRequest timeouts. It returns the time from the request to
// the first bytes of the answer.
func (r requester) do(ctx context.Context, addr string, request []byte, read func(c *stream.Conn) error) (rtt time.Duration, err error) {
	timeout := positiveOr(r.timeout, clientTimeout)
	limits := stream.Limits{
		First:    positiveOr(r.first, timeout),
		Frame:    positiveOr(r.frame, timeout),
		Idle:     timeout,
		Write:    timeout,
		MaxFrame: r.maxFrame,
		Buffer:   r.buffer,
	}
	within, cancel := context.WithTimeout(ctx, wholeRequest*timeout)
	defer cancel()
	dialing, cancelDialing := context.WithTimeout(within, timeout)
	defer cancelDialing()
	c, err := stream.Dial(dialing, r.dial, addr, limits)
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
