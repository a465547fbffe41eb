package warzonenet

import (
	"context"
	"errors"
	"log/slog"
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

// verifyEvery is how soon a game that could not be reached is tried again when
// its host sends an update.
const verifyEvery = 10 * time.Second

// A session is one connection to a Lobby.
type session struct {
	lobby    *Lobby
	conn     *stream.Conn
	requests warzone.HostStream

	id     uint32 // what the lobby gave the game of this connection; 0 is none yet
	keeps  bool   // the host has sent a Keep
	added  bool   // the host has sent a game
	listed bool   // and it is in Games
	silent bool   // the host expects no status

	refusal  warzone.Status // why the game is not listed
	verified time.Time      // when it was last tried
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
		if !s.handle(ctx, m) {
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
		return s.add(ctx, &m.Game)
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
		return s.send([]byte(warzone.Clip(s.lobby.MOTD, most)))
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
// connection.
func (s *session) add(ctx context.Context, game *warzone.Game) bool {
	s.unlist()
	s.added = true
	if s.id == 0 {
		s.id = s.lobby.games.NewID()
	}
	s.keeps = s.keeps || game.Version == warzone.Version4
	s.beSilentFor()
	s.refusal = s.list(ctx, game)
	return s.answer()
}

// update changes the game of a host. One that was not listed is tried again.
func (s *session) update(ctx context.Context, game *warzone.Game) bool {
	key := s.key(game)
	switch {
	case s.listed:
		at, _ := s.lobby.games.FindID(s.id)
		if at.Key.IsValid() && at.Key != key {
			return s.add(ctx, game)
		}
		_, err := s.lobby.games.Update(s.id, func(e *Entry) { e.Game = own(game) })
		if err == nil {
			s.lobby.stats.updated.Add(1)
			break
		}
		s.listed = false
		s.refusal = refusal(err)
	case time.Since(s.verified) >= verifyEvery:
		return s.add(ctx, game)
	}
	return s.answer()
}

// list lists a game or returns why not.
func (s *session) list(ctx context.Context, game *warzone.Game) warzone.Status {
	if game.Name == "" {
		return warzone.Status{Code: warzone.StatusNotAcceptable, Text: "Your game has no name."}
	}
	e := Entry{Key: s.key(game), ID: s.id, Source: SourceLobby, Game: own(game)}
	if !s.lobby.NoVerify {
		s.verified = time.Now()
		if err := s.lobby.verify(ctx, e); err != nil {
			return s.unreachable(ctx, e.Key, err)
		}
		e.Verified = true
	}
	if _, err := s.lobby.games.Add(e); err != nil {
		return refusal(err)
	}
	s.listed = true
	s.lobby.stats.added.Add(1)
	return warzone.Status{}
}

// unreachable tells a host that its game cannot be reached.
func (s *session) unreachable(ctx context.Context, at netip.AddrPort, err error) warzone.Status {
	s.lobby.stats.unreachable.Add(1)
	if l := s.lobby.Logger; l != nil {
		l.LogAttrs(ctx, slog.LevelDebug, "game not reached", slog.Any("at", at), slog.Any("error", err))
	}
	return warzone.Status{
		Code: warzone.StatusUnreachable,
		Text: "Your game is not listed: nobody could join it at " + at.String() +
			". Look at your firewall and at the port forwarding of your router.",
	}
}

// refusal returns what a host is told of an error of Games.
func refusal(err error) warzone.Status {
	switch {
	case errors.Is(err, ErrFull):
		return warzone.Status{Code: warzone.StatusForbidden, Text: "There are too many games from your address, or in all."}
	case errors.Is(err, ErrGone):
		return warzone.Status{Code: warzone.StatusNotAcceptable, Text: "Another game is listed at your address."}
	}
	return warzone.Status{Code: warzone.StatusNotAcceptable, Text: "Your game cannot be listed."}
}

// answer sends the status of the game.
func (s *session) answer() bool {
	switch {
	case s.silent:
		return true
	case s.listed:
		return s.send(s.lobby.welcome)
	}
	return s.sendStatus(s.refusal.Code, s.refusal.Text)
}

func (s *session) sendStatus(code warzone.StatusCode, text string) bool {
	b, err := warzone.Status{Code: code, Text: text}.MarshalBinary()
	return err == nil && s.send(b)
}

func (s *session) send(b []byte) bool {
	_, err := s.conn.Write(b)
	return err == nil
}

// unlist takes the game of the connection from the list.
func (s *session) unlist() {
	if s.listed {
		s.lobby.games.Remove(s.id)
		s.listed = false
	}
}

// key returns where a game of this host is joined: the host does not know the
// address by which others know it.
func (s *session) key(game *warzone.Game) netip.AddrPort {
	return netip.AddrPortFrom(s.conn.Remote().Addr().WithZone(""), game.JoinPort())
}

// own returns a game without what the lobby fills in.
func own(game *warzone.Game) warzone.Game {
	g := *game
	g.SecondaryHosts = [2]string{}
	return g
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
