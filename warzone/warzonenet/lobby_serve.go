package warzonenet

import (
	"cmp"
	"context"
	"errors"
	"net"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
)

func (l *Lobby) init() {
	l.refusals.Init(l.Refused, l.Logger)
	l.server.Init(serving.Settings{
		Games:    l.Games,
		Limits:   l.Limits,
		MaxFrame: maxRequest,
		Logger:   l.Logger,
		Refusals: &l.refusals.Reporter,
		Handler:  l.serveConn,
		Checker:  l.checker(),
	})
	l.invalid = l.setMOTD(l.MOTD)
}

// Serve answers clients and hosts that connect to ln until Shutdown or Close. It
// owns ln and closes it. Its error is never nil. Serve fails at once if MOTD is
// longer than [warzone.MaxStatusText].
func (l *Lobby) Serve(ln net.Listener) error {
	l.server.Once.Do(l.init)
	if l.invalid != nil {
		return errors.Join(l.invalid, ln.Close())
	}
	return l.server.Serve(ln)
}

// SetMOTD replaces MOTD. It may be called while the Lobby serves. It fails if the text is
// longer than [warzone.MaxStatusText]; MOTD is then unchanged.
func (l *Lobby) SetMOTD(text string) error {
	l.server.Once.Do(l.init)
	return l.setMOTD(text)
}

// SetLimits replaces Limits. It may be called while the Lobby serves. Deadlines apply to new
// connections.
func (l *Lobby) SetLimits(limits lobbywire.ConnLimits) {
	l.server.Once.Do(l.init)
	l.server.SetLimits(limits)
}

// serveConn answers the requests of a connection, in order.
func (l *Lobby) serveConn(ctx context.Context, c *stream.Conn) {
	s := session{lobby: l, conn: c}
	s.serve(ctx)
}

func (s *session) serve(ctx context.Context) {
	err := s.handleAll(ctx)
	handedOver := s.noted && s.lobby.Listed != nil && err == lobbywire.ErrClosed
	if !handedOver {
		s.unlist()
	}
	if s.noted && s.lobby.Closing != nil {
		s.lobby.Closing(s.conn.NetConn())
	}
}

// handleAll handles requests until the connection ends or has to end. The error is
// [lobbywire.ErrClosed] after Shutdown or Close.
func (s *session) handleAll(ctx context.Context) error {
	pace := serving.NewPace()
	for {
		s.noteListed()
		m, err := stream.Next(s.conn, s.requests.NextRequest)
		if err != nil {
			s.refuse(err)
			return err
		}
		pace.Wait(s.conn.Ending()) // answers the requests already read, which no other process can read
		if !s.handle(ctx, m) {
			return nil
		}
	}
}

// noteListed calls Listed once the connection has a game.
func (s *session) noteListed() {
	id := cmp.Or(s.linked, s.id)
	if s.noted || !s.listed && s.linked == 0 {
		return
	}
	s.noted = true
	if s.lobby.Listed != nil {
		s.lobby.Listed(s.conn.NetConn(), id)
	}
}
