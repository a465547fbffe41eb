package warzonenet

import (
	"context"
	"errors"
	"net/netip"
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
	life   time.Duration // of games
	answer func(from netip.Addr, m M) ([]byte, error)
	refuse func(text string) []byte // returns an Error
}

// Shutdown stops as [Lobby.Shutdown] does.
func (p *proposalServer[M, R]) Shutdown(ctx context.Context) error {
	defer p.end()
	return p.server.Shutdown(ctx)
}

// Close stops as [Lobby.Close] does.
func (p *proposalServer[M, R]) Close() error {
	defer p.end()
	return p.server.Close()
}

// end ends the changes of the view, if there is one.
func (p *proposalServer[M, R]) end() {
	p.once.Do(func() {})
	if p.games != nil {
		p.view.close()
	}
}

// maxMalformed is the number of malformed requests that a connection may send.
const maxMalformed = 16

// serveConn answers the requests that next cuts off the input of a connection.
func (p *proposalServer[M, R]) serveConn(c *stream.Conn, next func(b []byte) (m M, rest []byte, err error)) {
	pace := newPace()
	from := c.Remote().Addr().WithZone("")
	for malformed := 0; malformed < maxMalformed; {
		var wrong error // in a message after which the next one can be found
		m, err := stream.Next(c, func(b []byte) (m M, rest []byte, err error) {
			m, rest, err = next(b)
			if isMalformed(err) && len(rest) < len(b) {
				wrong, err = err, nil
			}
			return m, rest, err
		})
		switch {
		case isMalformed(err):
			wrong, malformed = err, maxMalformed
		case err != nil:
			return
		}
		if !pace.Wait(c.Ending()) {
			return
		}
		var answer []byte
		if wrong == nil {
			answer, wrong = p.answer(from, m)
		}
		switch {
		case wrong == nil:
		case isMalformed(wrong):
			malformed++
			p.count(&p.stats.Malformed)
			answer = p.refuse(shown(wrong.Error(), maxReason))
		default:
			p.count(&p.stats.Refused)
			answer = p.refuse(reason(wrong))
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
	p.count(&p.stats.Lists)
	return p.view.encoded()
}

// add lists a game and returns it as listed.
func (p *proposalServer[M, R]) add(e Entry) (Entry, error) {
	e.Expires = p.expires()
	e, err := p.games.Add(e)
	if err == nil {
		p.count(&p.stats.Added)
	}
	return e, err
}

// update changes a game, if it was found, and counts that.
func (p *proposalServer[M, R]) update(n *uint64, e Entry, found bool, change func(e *Entry)) error {
	if !found {
		return ErrGone
	}
	_, err := p.games.Update(e.ID, func(e *Entry) {
		e.Expires = p.expires()
		change(e)
	})
	if err == nil {
		p.count(n)
	}
	return err
}

// remove removes a game, if it was found.
func (p *proposalServer[M, R]) remove(e Entry, found bool) error {
	if !found || !p.games.Remove(e.ID) {
		return ErrGone
	}
	p.count(&p.stats.Removed)
	return nil
}

func (p *proposalServer[M, R]) expires() time.Time { return time.Now().Add(p.life) }
