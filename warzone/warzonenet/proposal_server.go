package warzonenet

import (
	"context"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/warzone/internal/counts"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A proposalServer is what ProposalLobby and JSONLobby have in common. M is the type
// of requests, and R that of the rows in a list. It answers each request, in order,
// with the rate limit of a [Lobby].
type proposalServer[M, R any] struct {
	counts counts.Of[LobbyStats]
	server serving.Server
	rows   warzonegames.Rows[R]
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
	p.server.Once.Do(func() {})
	if p.server.Games != nil {
		p.rows.Close()
	}
}

// Stats returns a snapshot.
func (p *proposalServer[M, R]) Stats() LobbyStats {
	s := p.counts.Snapshot()
	s.ConnStats = p.server.Stats()
	return s
}

// maxMalformed is the number of malformed requests that a connection may send.
const maxMalformed = 16

// serveConn answers the requests that next cuts off the input of a connection.
func (p *proposalServer[M, R]) serveConn(c *stream.Conn, next func(b []byte) (m M, rest []byte, err error)) {
	pace := serving.NewPace()
	from := c.Remote().Addr().WithZone("")
	for malformed := 0; malformed < maxMalformed; {
		var wrong error // in a message after which the next one can be found
		m, err := stream.Next(c, func(b []byte) (m M, rest []byte, err error) {
			m, rest, err = next(b)
			if serving.IsMalformed(err) && len(rest) < len(b) {
				wrong, err = err, nil
			}
			return m, rest, err
		})
		switch {
		case serving.IsMalformed(err):
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
		case serving.IsMalformed(wrong):
			malformed++
			p.counts.Add(&p.counts.Stats.Malformed)
			answer = p.refuse(refusal.Shown(wrong.Error(), refusal.MaxText))
		default:
			p.counts.Add(&p.counts.Stats.Refused)
			answer = p.refuse(refusal.Text(wrong))
		}
		if _, err := c.Write(answer); err != nil {
			return
		}
	}
	c.Finish()
}

// unknownCommand returns the error for a command that the protocol does not have.
func unknownCommand(proto string) error {
	return &lobbywire.Error{Proto: proto, Field: "command", Err: wire.Unsupported("is not known")}
}

// list returns the list of all games.
func (p *proposalServer[M, R]) list() []byte {
	p.counts.Add(&p.counts.Stats.Lists)
	return p.rows.List()
}

// add lists a game and returns it as listed.
func (p *proposalServer[M, R]) add(e warzonegames.Entry) (warzonegames.Entry, error) {
	e.Expires = p.expires()
	e, err := p.server.Games.Add(e)
	if err == nil {
		p.counts.Add(&p.counts.Stats.Added)
	}
	return e, err
}

// update changes a game, if it was found, and counts that.
func (p *proposalServer[M, R]) update(n *uint64, e warzonegames.Entry, found bool, change func(e *warzonegames.Entry)) error {
	if !found {
		return warzonegames.ErrGone
	}
	_, err := p.server.Games.Update(e.ID, func(e *warzonegames.Entry) {
		e.Expires = p.expires()
		change(e)
	})
	if err == nil {
		p.counts.Add(n)
	}
	return err
}

// remove removes a game, if it was found.
func (p *proposalServer[M, R]) remove(e warzonegames.Entry, found bool) error {
	if !found || !p.server.Games.Remove(e.ID) {
		return warzonegames.ErrGone
	}
	p.counts.Add(&p.counts.Stats.Removed)
	return nil
}

func (p *proposalServer[M, R]) expires() time.Time { return time.Now().Add(p.life) }
