package warzonenet

import (
	"context"
	"errors"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A proposalServer is what ProposalLobby and JSONLobby have in common. M is the type
// of requests, and R that of the rows in a list. It answers each request, in order,
// with the rate limit of a [Lobby].
type proposalServer[M, R any] struct {
	tcpLobby
	view   view[R]
	life   time.Duration                                       // of games
	cutter func() func(b []byte) (m M, rest []byte, err error) // returns a function that cuts requests off b
	answer func(from netip.Addr, m M) ([]byte, error)
	refuse func(text string) []byte // returns an Error
}

func (p *proposalServer[M, R]) shutdown(ctx context.Context) error {
	defer p.view.close()
	return p.server.Shutdown(ctx)
}

func (p *proposalServer[M, R]) close() error {
	defer p.view.close()
	return p.server.Close()
}

// maxMalformed is the number of malformed requests that a connection may send.
const maxMalformed = 16

// A request is a request of a connection, or the error of a malformed one.
type request[M any] struct {
	m   M
	err error
}

func (p *proposalServer[M, R]) serveConn(_ context.Context, c *stream.Conn) {
	pace := newPace()
	next := p.cutter()
	from := c.Remote().Addr().WithZone("")
	for malformed := 0; malformed < maxMalformed; {
		r, err := stream.Next(c, func(b []byte) (r request[M], rest []byte, err error) {
			m, rest, err := next(b)
			if isMalformed(err) && len(rest) < len(b) {
				return request[M]{err: err}, rest, nil
			}
			return request[M]{m: m}, rest, err
		})
		if err != nil {
			if !isMalformed(err) {
				return
			}
			r.err, malformed = err, maxMalformed
		}
		if !pace.Wait(c.Ending()) {
			return
		}
		var answer []byte
		if r.err == nil {
			answer, r.err = p.answer(from, r.m)
		}
		switch {
		case r.err == nil:
		case isMalformed(r.err):
			malformed++
			p.stats.malformed.Add(1)
			answer = p.refuse(shown(r.err.Error(), maxReason))
		default:
			p.stats.refused.Add(1)
			answer = p.refuse(reason(r.err))
		}
		if _, err := c.Write(answer); err != nil {
			return
		}
	}
	c.Finish()
}

// isMalformed reports whether err is about the input, not the connection.
func isMalformed(err error) bool {
	_, ok := errors.AsType[*lobbywire.Error](err)
	return ok
}

// unknownCommand returns the error for a command that the protocol does not have.
func unknownCommand(proto string) error {
	return &lobbywire.Error{Proto: proto, Field: "command", Err: wire.Unsupported("is not known")}
}

// list returns the list of all games.
func (p *proposalServer[M, R]) list() []byte {
	p.stats.lists.Add(1)
	return p.view.encoded()
}

// add lists a game and returns it as listed.
func (p *proposalServer[M, R]) add(e Entry) (Entry, error) {
	e.Expires = p.expires()
	e, err := p.games.Add(e)
	if err == nil {
		p.stats.added.Add(1)
	}
	return e, err
}

// update changes a game, if it was found, and counts that.
func (p *proposalServer[M, R]) update(count *atomic.Uint64, e Entry, found bool, change func(e *Entry)) error {
	if !found {
		return ErrGone
	}
	_, err := p.games.Update(e.ID, func(e *Entry) {
		e.Expires = p.expires()
		change(e)
	})
	if err == nil {
		count.Add(1)
	}
	return err
}

// remove removes a game, if it was found.
func (p *proposalServer[M, R]) remove(e Entry, found bool) error {
	if !found || !p.games.Remove(e.ID) {
		return ErrGone
	}
	p.stats.removed.Add(1)
	return nil
}

func (p *proposalServer[M, R]) expires() time.Time { return time.Now().Add(p.life) }
