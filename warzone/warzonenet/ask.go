package warzonenet

import (
	"cmp"
	"context"
	"errors"
	"net"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/internal/stream"
)

// A LobbyError is an answer in place of what a lobby was asked for: it says that
// it has not done that.
type LobbyError struct {
	Text string // for people, and any text: it needs care before it is shown
}

// Error returns the text in quotes, with escapes for what does not print, and
// not more than the start of a long one.
func (e *LobbyError) Error() string {
	if e.Text == "" {
		return "warzonenet: the lobby refuses"
	}
	return "warzonenet: the lobby refuses: " + strconv.Quote(shown(e.Text, maxReason))
}

// errNoAnswer is about an answer that is one, but not to what was asked.
var errNoAnswer = errors.New("warzonenet: the lobby answers something else")

// An asker sends requests, each on a connection of its own: lobbies of the
// proposals keep nothing that is of a connection.
type asker struct {
	timeout  time.Duration // of connecting and of each silence; 0 means clientTimeout
	dial     func(ctx context.Context, network, addr string) (net.Conn, error)
	maxFrame int
	first    time.Duration // until the answer begins; 0 means timeout
}

// ask sends a request to addr and lets read read the answer. All of it takes 10
// times the time-out at most.
func (a asker) ask(ctx context.Context, addr string, request []byte, read func(c *stream.Conn) error) error {
	timeout := cmp.Or(a.timeout, clientTimeout)
	limits := stream.Limits{
		First:    cmp.Or(a.first, timeout),
		Frame:    timeout,
		Idle:     timeout,
		Write:    timeout,
		MaxFrame: a.maxFrame,
	}
	within, cancel := context.WithTimeout(ctx, 10*timeout)
	defer cancel()
	dialing, cancelDialing := context.WithTimeout(within, timeout)
	defer cancelDialing()
	c, err := stream.Dial(dialing, a.dial, addr, limits)
	if err == nil {
		defer c.Close()
		defer c.EndWith(within)()
		if _, err = c.Write(request); err == nil {
			err = read(c)
		}
	}
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return timeoutOf(err)
}

// readGames reads a list of the text or the binary proposal, of which one frame
// is the number of games and the others are a game each.
func readGames[G any](c *stream.Conn, next func(b []byte) (frame, rest []byte, err error),
	count func(frame []byte) (int, error), game func(frame []byte) (G, error),
) ([]G, error) {
	frame, err := stream.Next(c, next)
	if err != nil {
		return nil, err
	}
	n, err := count(frame)
	if err != nil {
		return nil, err
	}
	var games []G
	for range n {
		if frame, err = stream.Next(c, next); err != nil {
			return nil, err
		}
		g, err := game(frame)
		if err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	return games, nil
}
