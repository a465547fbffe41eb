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

// answers are those of the text or the binary proposal, as frames.
type answers struct {
	next    func(b []byte) (frame, rest []byte, err error)
	failure func(frame []byte) (text string, err error) // reads an Error
	count   func(frame []byte) (games uint32, err error)
	done    func(frame []byte) error
}

// read reads a frame, which is not an Error.
func (a *answers) read(c *stream.Conn) (frame []byte, err error) {
	if frame, err = stream.Next(c, a.next); err != nil {
		return nil, err
	}
	if text, err := a.failure(frame); err == nil {
		return nil, &LobbyError{text}
	}
	return frame, nil
}

// readDone reads the answer to what has no other.
func (a *answers) readDone(c *stream.Conn) error {
	frame, err := a.read(c)
	if err == nil && a.done(frame) != nil {
		err = errNoAnswer
	}
	return err
}

// readGames reads a list, of which one frame is the number of games and the
// others are a game each.
func readGames[G any](a *answers, c *stream.Conn, game func(frame []byte) (G, error)) ([]G, error) {
	frame, err := a.read(c)
	if err != nil {
		return nil, err
	}
	n, err := a.count(frame)
	if err != nil {
		return nil, err
	}
	var games []G
	for range n {
		if frame, err = stream.Next(c, a.next); err != nil {
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
