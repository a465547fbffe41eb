package warzonenet

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Resume serves the connection of a host that the Lobby of another process has passed to
// Listed. The argument id is the ID of its game. The game must be in Games, where a Store
// restores it: call Resume after [warzonegames.Games.Share]. Resume does not check again
// that the game can be reached. The Lobby owns conn and closes it.
//
// The error is [warzonegames.ErrGone] if there is no such game at the address of conn, and
// [net.ErrClosed] beyond Limits and after Shutdown. On error, the connection is closed.
//
// The earlier process may have ended after reading a part of a message. The rest of that
// message is malformed, so the Lobby closes the connection. It cannot detect this only for
// updates of 112 bytes, from hosts of 2.0 and 2.1.
func (l *Lobby) Resume(conn net.Conn, id uint32) error {
	l.server.Once.Do(l.init)
	s := session{lobby: l, id: id}
	if err := s.take(conn); err != nil {
		conn.Close()
		return fmt.Errorf("game %d of %v: %w", id, conn.RemoteAddr(), err)
	}
	ok := l.server.Resume(conn, func(ctx context.Context, c *stream.Conn) {
		s.conn = c
		c.SetIdle(s.patience())
		s.serve(ctx)
	})
	if !ok {
		s.unlist()
		return fmt.Errorf("game %d of %v: %w", id, conn.RemoteAddr(), net.ErrClosed)
	}
	return nil
}

// take makes the game of the session belong to this process.
func (s *session) take(conn net.Conn) error {
	games := s.lobby.server.Games
	e, ok := games.FindID(s.id)
	if !ok || e.Source != warzonegames.SourceLobby {
		return warzonegames.ErrGone
	}
	s.added, s.at = true, e.Key
	s.keeps = e.Game.Version == warzone.Version4
	s.silent = e.Game.Version == 0
	s.requests.Added(e.Game.Layout)
	from := netip.AddrPortFrom(stream.Remote(conn).Addr().WithZone(""), e.Key.Port())
	switch {
	case from == e.Key:
	case games.ForLobbies().PublicAddr(from).Addr() == secondHost(&e.Game):
		s.id, s.linked = 0, e.ID
		return nil
	default:
		return warzonegames.ErrGone
	}
	_, err := games.ForLobbies().Adopt(s.id, func(e *warzonegames.Entry) { e.Expires = time.Time{} })
	s.listed = err == nil
	return err
}

// secondHost returns the second address of a game, as players get it; see link.
func secondHost(game *warzone.Game) netip.Addr {
	second, _ := netip.ParseAddr(game.SecondaryHosts[0])
	return second
}
