package warzonenet

import (
	"bytes"
	"encoding"
	"errors"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A session is one connection to a Lobby.
type session struct {
	lobby    *Lobby
	conn     *stream.Conn
	requests warzone.HostStream

	id     uint32              // the id for the game of this connection; 0 if it was not requested
	keeps  bool                // the host has sent a Keep
	added  bool                // the host has sent a game
	listed bool                // the game is in Games
	linked uint32              // the id of the game whose second address is from this connection
	silent bool                // the host expects no status
	noted  bool                // Listed was called with the connection
	shared *warzonegames.Entry // the game, if a wzhttpnet.Lobby lists it for the same host

	at      netip.AddrPort // the address of the game
	tried   time.Time      // the last attempt to list the game
	refusal warzone.Status // why the game is not listed
}

// refused returns the status that reports an error of Games to a host.
func refused(err error) warzone.Status {
	code := warzone.StatusNotAcceptable
	if errors.Is(err, warzonegames.ErrFull) {
		code = warzone.StatusForbidden
	}
	return warzone.Status{Code: code, Text: refusal.Text(err)}
}

// answer sends the status of the game.
func (s *session) answer() bool {
	switch {
	case s.silent:
		return true
	case s.isWithheld():
		return s.send(s.unreachable(nil))
	case s.listed, s.linked != 0, s.shared != nil:
		return s.write(s.lobby.greeting.Load().status)
	}
	return s.send(s.refusal)
}

func (s *session) send(m encoding.BinaryAppender) bool { return stream.Send(s.conn, m) == nil }

func (s *session) write(b []byte) bool {
	_, err := s.conn.Write(b)
	return err == nil
}

// isWithheld reports whether the game is withheld because it has stopped answering.
func (s *session) isWithheld() bool {
	if !s.listed {
		return false
	}
	e, ok := s.lobby.server.Games.FindID(s.id)
	return ok && e.Unreachable
}

// unreachable returns the status for a game that cannot be reached.
func (s *session) unreachable(err error) warzone.Status {
	if errors.Is(err, serving.ErrOtherGame) {
		return warzone.Status{
			Code: warzone.StatusNotAcceptable,
			Text: "Your game is not listed: another answers at " + s.at.String() + ".",
		}
	}
	if refusal.Of(s.at, refusal.Unreachable(err)).Reason == lobbywire.ReasonOther {
		return warzone.Status{
			Code: warzone.StatusUnreachable,
			Text: "Your game is not listed: what answers at " + s.at.String() + " is not your game.",
		}
	}
	return warzone.Status{Code: warzone.StatusUnreachable, Text: refusal.UnreachableText(s.at)}
}

// reply returns the answer to a ListRequest. The first batch is for clients before 2020,
// and the second contains all games. Lists of 112-byte games consist of one batch.
func (l *Lobby) reply() net.Buffers {
	games := l.server.Games.ForLobbies().Records(l.Layout)
	if isRecord(l.Layout) {
		first := firstOf(games, warzone.MaxFirstBatch, warzone.RecordSize)
		return append(net.Buffers{gamelist.AppendFirstBatch(nil, first.Count)}, first.Pages...)
	}
	first := firstOf(games, warzone.MaxFirstBatch, warzone.GameSize)
	between := gamelist.AppendSecondBatch(bytes.Clone(l.greeting.Load().status), games.Count)
	return slices.Concat(net.Buffers{gamelist.AppendFirstBatch(nil, first.Count)}, first.Pages, net.Buffers{between},
		games.Pages)
}

// firstOf returns up to limit records of the given size from the start.
func firstOf(all gamelist.Records, limit, size int) gamelist.Records {
	n := min(all.Count, limit)
	cut := gamelist.Records{Count: n}
	for left := n * size; left > 0; left -= len(cut.Pages[len(cut.Pages)-1]) {
		p := all.Pages[len(cut.Pages)]
		cut.Pages = append(cut.Pages, p[:min(left, len(p))])
	}
	return cut
}
