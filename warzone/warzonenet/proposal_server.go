package warzonenet

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A proposalServer is the loop of ProposalLobby and JSONLobby. It answers each
// request, in order, with the rate limit of a [Lobby].
type proposalServer[M any] struct {
	games  *Games
	cutter func() func(b []byte) (m M, rest []byte, err error) // returns a function that cuts requests off b
	answer func(from netip.Addr, m M) ([]byte, error)
	refuse func(text string) []byte // returns an Error
	closed func()                   // is called after the last request

	server *stream.Server
	stats  lobbyCounters
}

func (p *proposalServer[M]) init(limits lobbywire.ConnLimits, maxFrame int, logger *slog.Logger) {
	if p.games == nil {
		p.games = new(Games)
	}
	p.server = newServer(limits, maxFrame, logger, p.serveConn)
}

func (p *proposalServer[M]) serve(ln net.Listener) error {
	p.games.join()
	defer p.games.leave()
	return p.server.Serve(ln)
}

func (p *proposalServer[M]) shutdown(ctx context.Context) error {
	defer p.closed()
	return p.server.Shutdown(ctx)
}

func (p *proposalServer[M]) close() error {
	defer p.closed()
	return p.server.Close()
}

func (p *proposalServer[M]) snapshot() LobbyStats { return p.stats.snapshot(p.server.Stats()) }

// maxMalformed is the number of malformed requests that a connection may send.
const maxMalformed = 16

// A request is a request of a connection, or the error of a malformed one.
type request[M any] struct {
	m   M
	err error
}

// cut returns a function that cuts the requests of a connection off b. Its error
// ends the connection.
func (p *proposalServer[M]) cut() func(b []byte) (r request[M], rest []byte, err error) {
	next := p.cutter()
	return func(b []byte) (r request[M], rest []byte, err error) {
		m, rest, err := next(b)
		if err != nil && err != lobbywire.ErrTruncated && len(rest) < len(b) {
			return request[M]{err: err}, rest, nil
		}
		return request[M]{m: m}, rest, err
	}
}

func (p *proposalServer[M]) serveConn(_ context.Context, c *stream.Conn) {
	var pace pace
	next := p.cut()
	from := c.Remote().Addr().WithZone("")
	for malformed := 0; malformed < maxMalformed; {
		r, err := stream.Next(c, next)
		if err != nil {
			if !isMalformed(err) {
				return
			}
			r.err, malformed = err, maxMalformed
		}
		if !pace.wait(c.Ending()) {
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
	var e *lobbywire.Error
	return errors.As(err, &e)
}

// unknownCommand returns the error for a command that the protocol does not have.
func unknownCommand(proto string) error {
	return &lobbywire.Error{Proto: proto, Field: "command", Err: wire.Unsupported("is not known")}
}

// maxReason is the length of the longest text in an Error, in bytes, so that each
// proposal can carry it.
const maxReason = 200
