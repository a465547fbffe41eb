package warzonenet

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
)

// How long hosts with a game may be silent.
const (
	// keepTimeout is for those that send a Keep after 25 seconds: version 4,
	// and others once they have sent one.
	keepTimeout = 90 * time.Second

	// silentTimeout is for those that send nothing until something changes. The
	// system finds out when they are gone without a word.
	silentTimeout = 6 * time.Hour
)

// tryEvery is how soon it is tried again to list a game when its host sends an
// update.
const tryEvery = 10 * time.Second

// A session is one connection to a Lobby.
type session struct {
	lobby    *Lobby
	conn     *stream.Conn
	requests warzone.HostStream
	pace     pace

	id     uint32 // what the lobby gave the game of this connection; 0 is none yet
	keeps  bool   // the host has sent a Keep
	added  bool   // the host has sent a game
	listed bool   // and it is in Games
	linked uint32 // the id of a game to which it is a second address
	silent bool   // the host expects no status

	at      netip.AddrPort // where the game is joined
	tried   time.Time      // when the game was last to be listed
	refusal warzone.Status // why it is not
}

func (l *Lobby) serve(ctx context.Context, c *stream.Conn) {
	s := session{lobby: l, conn: c}
	next := s.requests.NextRequest
	for {
		m, err := stream.Next(c, next)
		if err != nil {
			s.refuse(err)
			break
		}
		if !s.pace.wait(c.Ending()) || !s.handle(ctx, m) {
			break
		}
	}
	s.unlist()
}

// handle answers a request. It tells whether to go on.
func (s *session) handle(ctx context.Context, m warzone.Request) bool {
	switch m := m.(type) {
	case warzone.GameIDRequest:
		return s.sendID()
	case warzone.AddGame:
		s.silent = m.Game.Version == 0
		return s.add(ctx, &m.Game, s.lobby.verifyWithin(m.Game.Version))
	case warzone.Update:
		if s.added {
			return s.update(ctx, &m.Game)
		}
	case warzone.Keep:
		s.keeps = true
		s.beSilentFor()
		if s.listed {
			s.lobby.games.Touch(s.id, time.Time{})
		}
		return true
	case warzone.ListRequest:
		s.sendList()
		return false
	case warzone.MOTDRequest:
		const most = 255
		return s.send([]byte(warzone.Clip(s.lobby.greeting.Load().motd, most)))
	}
	s.lobby.stats.malformed.Add(1)
	return false
}

// refuse ends the connection of a peer that has sent what is no request. One of
// a version that is not known is told so.
func (s *session) refuse(err error) {
	var e *lobbywire.Error
	if !errors.As(err, &e) {
		return
	}
	s.lobby.stats.malformed.Add(1)
	if errors.Is(err, lobbywire.ErrUnsupported) {
		s.sendStatus(warzone.StatusNotAcceptable, "This lobby does not know the version of your game.")
		s.conn.Finish()
	}
}

// sendID tells the id that the game of the connection is going to have.
func (s *session) sendID() bool {
	if s.id == 0 {
		s.id = s.lobby.games.NewID()
	}
	b, _ := warzone.GameIDReply{GameID: s.id}.AppendBinary(nil) // does not fail
	return s.send(b)
}

// sendList answers a client. The end of the connection tells older ones that
// all has come.
func (s *session) sendList() {
	if _, err := s.conn.WriteBuffers(s.lobby.reply()); err == nil {
		s.lobby.stats.lists.Add(1)
		s.conn.Finish()
	}
}

// add lists the game of a host, in place of one that came before on the
// connection, if it can be reached within limit.
func (s *session) add(ctx context.Context, game *warzone.Game, limit time.Duration) bool {
	s.unlist()
	s.added = true
	s.keeps = s.keeps || game.Version == warzone.Version4
	s.beSilentFor()
	s.refusal = s.list(ctx, game, limit)
	return s.answer()
}

// update changes the game of a host. One that was not listed is tried again.
func (s *session) update(ctx context.Context, game *warzone.Game) bool {
	key := s.key(game)
	switch {
	case s.linked != 0:
	case s.listed && key == s.at:
		s.change(game)
	case s.listed, time.Since(s.tried) >= tryEvery:
		return s.add(ctx, game, s.lobby.verifyUpdateWithin())
	}
	return s.answer()
}

// change changes the game of a host that stays where it is.
func (s *session) change(game *warzone.Game) {
	_, err := s.lobby.games.Update(s.id, func(e *Entry) {
		hosts := e.Game.SecondaryHosts
		e.Game = *game
		e.Game.SecondaryHosts = hosts
	})
	if err != nil {
		s.listed = false
		s.refusal = refusal(err)
		return
	}
	s.lobby.stats.updated.Add(1)
}

// list lists a game or returns why not.
func (s *session) list(ctx context.Context, game *warzone.Game, limit time.Duration) warzone.Status {
	if game.Name == "" {
		return warzone.Status{Code: warzone.StatusNotAcceptable, Text: "Your game has no name."}
	}
	s.at, s.tried = s.key(game), time.Now()
	e := Entry{Key: s.at, ID: s.id, Source: SourceLobby, Verified: !s.lobby.NoVerify, Game: *game}
	e.Game.SecondaryHosts = [2]string{}
	if e.Verified {
		if err := s.lobby.verify(ctx, e, limit); err != nil {
			return s.unreachable(ctx, err)
		}
	}
	if s.link(e) {
		return warzone.Status{}
	}
	e, err := s.lobby.games.Add(e)
	if err != nil {
		return refusal(err)
	}
	s.id = e.ID
	s.listed = true
	s.lobby.stats.added.Add(1)
	return warzone.Status{}
}

// unlist takes the game of the connection from the list.
func (s *session) unlist() {
	if s.listed {
		s.lobby.games.Remove(s.id)
		s.listed = false
	}
	s.unlink()
}

// key returns where a game of this host is joined: the host does not know the
// address by which others know it.
func (s *session) key(game *warzone.Game) netip.AddrPort {
	return netip.AddrPortFrom(s.conn.Remote().Addr().WithZone(""), game.JoinPort())
}

// beSilentFor lets the host be silent for as long as it is usual for its version.
func (s *session) beSilentFor() {
	switch {
	case !s.added:
	case s.keeps:
		s.conn.SetIdle(keepTimeout)
	default:
		s.conn.SetIdle(silentTimeout)
	}
}
