package warzonenet

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Timeouts of hosts with a game.
const (
	// keepTimeout is for hosts that send a Keep after 25 seconds of silence: hosts
	// of version 4, and others once they have sent one.
	keepTimeout = 90 * time.Second

	// silentTimeout is for hosts that send nothing until something changes. TCP detects
	// their end.
	silentTimeout = 6 * time.Hour
)

// tryEvery is the minimum time between two attempts to list a game after updates
// of its host.
const tryEvery = 10 * time.Second

// handle answers a request and reports whether to keep the connection.
func (s *session) handle(ctx context.Context, m warzone.Request) bool {
	switch m := m.(type) {
	case warzone.GameIDRequest:
		return s.sendID()
	case warzone.AddGame:
		s.silent = m.Game.Version == 0
		within := checkTimeoutShort
		if m.Game.Version == warzone.Version4 {
			within = checkTimeout
		}
		return s.add(ctx, &m.Game, within)
	case warzone.Update:
		if s.added {
			return s.update(ctx, &m.Game)
		}
	case warzone.Keep:
		s.keeps = true
		if s.added {
			s.conn.SetIdle(keepTimeout)
		}
		s.keep()
		return true
	case warzone.ListRequest:
		s.sendList()
		return false
	case warzone.MOTDRequest:
		const maxMOTD = 255
		return s.write([]byte(warzone.Clip(s.lobby.greeting.Load().motd, maxMOTD)))
	}
	s.lobby.counts.Add(&s.lobby.counts.Stats.Malformed)
	var command []byte
	if m, ok := m.(warzone.Unknown); ok {
		command = append([]byte(m.Command), s.conn.Rest()...)
	}
	s.lobby.refusals.Malformed(s.host(), command, errRequest)
	return false
}

// errRequest is the error of a request that gets no answer.
var errRequest = errors.New("unknown, or not after the requests before it")

// host returns the address of the host, without a port.
func (s *session) host() netip.AddrPort { return netip.AddrPortFrom(s.conn.Remote().Addr(), 0) }

// refuse handles input that is not a request. A host of an unknown version gets a
// status.
func (s *session) refuse(err error) {
	if !serving.IsMalformed(err) {
		return
	}
	s.lobby.counts.Add(&s.lobby.counts.Stats.Malformed)
	if !errors.Is(err, lobbywire.ErrUnsupported) {
		s.lobby.refusals.Malformed(s.host(), s.conn.Rest(), err)
		return
	}
	s.lobby.refusals.Report(lobbywire.Refusal{From: s.host(), Reason: lobbywire.ReasonVersion, Err: err})
	s.send(warzone.Status{Code: warzone.StatusNotAcceptable,
		Text: "This lobby does not know the version of your game."})
	s.conn.Finish()
}

// sendID sends the id for the game of the connection.
func (s *session) sendID() bool {
	if s.id == 0 {
		s.id = s.lobby.server.Games.ForLobbies().NewID()
	}
	return s.send(warzone.GameIDReply{GameID: s.id})
}

// sendList sends the list. For older clients, the end of the connection marks the
// end of the list.
func (s *session) sendList() {
	if _, err := s.conn.WriteBuffers(s.lobby.reply()); err == nil {
		s.lobby.counts.Add(&s.lobby.counts.Stats.Lists)
		s.conn.Finish()
	}
}

// add lists the game of a host if it can be reached within limit. It replaces an
// earlier game of the connection.
func (s *session) add(ctx context.Context, game *warzone.Game, limit time.Duration) bool {
	s.unlist()
	s.added = true
	s.keeps = s.keeps || game.Version == warzone.Version4
	s.conn.SetIdle(s.patience())
	var err error
	s.refusal, err = s.list(ctx, game, limit)
	if err != nil {
		s.lobby.refusals.Refused(s.at, err) // hosts with a 112-byte layout get no status
	}
	return s.answer()
}

// patience returns the time for which the host of a game may be silent.
func (s *session) patience() time.Duration {
	if s.keeps {
		return keepTimeout
	}
	return silentTimeout
}

// update changes the game of a host, or tries again to list it.
func (s *session) update(ctx context.Context, game *warzone.Game) bool {
	key := s.key(game)
	switch {
	case s.linked != 0:
	case s.listed && key == s.at:
		s.change(game)
	case s.shared != nil && key == s.at:
		s.shared.Game = *game
		s.keep()
	case s.listed, time.Since(s.tried) >= tryEvery:
		return s.add(ctx, game, checkTimeoutShort)
	}
	return s.answer()
}

// change changes the game of a host whose address stays the same.
func (s *session) change(game *warzone.Game) {
	_, err := s.lobby.server.Games.Update(s.id, func(e *warzonegames.Entry) {
		hosts := e.Game.SecondaryHosts
		e.Game = *game
		e.Game.SecondaryHosts = hosts
	})
	if err != nil {
		s.listed = false
		s.refusal = refused(warzonegames.ErrTaken) // for the game that now has the address
		s.share(s.entry(game))
		return
	}
	s.lobby.counts.Add(&s.lobby.counts.Stats.Updated)
}

// share reports whether a wzhttpnet.Lobby already lists a game, and remembers such a game:
// a host may use both protocols, but no game is listed twice.
func (s *session) share(e warzonegames.Entry) bool {
	other, ok := s.lobby.server.Games.ForLobbies().Find(e.Key)
	if !ok || other.Source != warzonegames.SourceHTTP || other.Game.Fit().Name != e.Game.Fit().Name {
		return false
	}
	s.shared = &e
	return true
}

// keep records that the host is alive, and lists its game if a wzhttpnet.Lobby no longer
// lists it.
func (s *session) keep() {
	switch {
	case s.listed:
		s.lobby.server.Games.ForLobbies().Touch(s.id, time.Time{})
	case s.shared != nil && !s.share(*s.shared):
		e, err := s.lobby.server.Games.Add(*s.shared)
		s.shared = nil
		if err != nil {
			s.refusal = refused(err)
			return
		}
		s.id, s.listed = e.ID, true
	}
}

// list lists a game. On error, it also returns the status for the host.
func (s *session) list(ctx context.Context, game *warzone.Game, limit time.Duration) (warzone.Status, error) {
	s.at, s.tried = s.key(game), time.Now()
	if game.Name == "" {
		return refused(refusal.ErrNoName), refusal.ErrNoName
	}
	e := s.entry(game)
	e.Game.SecondaryHosts = [2]string{}
	e.Opened = s.tried // before the check, which may take longer than the check of a later connection
	if e.Verified {
		s.lobby.refusals.Report(lobbywire.Refusal{From: s.at, Reason: lobbywire.ReasonQuery})
		if err := s.lobby.verify(ctx, e, limit); err != nil {
			s.lobby.counts.Add(&s.lobby.counts.Stats.Refused)
			return s.unreachable(err), refusal.Unreachable(err)
		}
	}
	if s.link(e) || s.share(e) {
		return warzone.Status{}, nil
	}
	e, err := s.lobby.server.Games.Add(e)
	if err != nil {
		return refused(err), err
	}
	s.id = e.ID
	s.listed = true
	s.lobby.counts.Add(&s.lobby.counts.Stats.Added)
	return warzone.Status{}, nil
}

// entry returns the game in the form of Games.
func (s *session) entry(game *warzone.Game) warzonegames.Entry {
	return warzonegames.Entry{Key: s.at, ID: s.id, Source: warzonegames.SourceLobby, Verified: !s.lobby.NoVerify,
		Game: *game}
}

// unlist removes the game of the connection, or its second address.
func (s *session) unlist() {
	if s.listed {
		s.lobby.server.Games.Remove(s.id)
		s.listed = false
	}
	if s.linked != 0 {
		// A removed game has no second address either.
		s.lobby.server.Games.Update(s.linked, func(first *warzonegames.Entry) { first.Game.SecondaryHosts[0] = "" })
		s.linked = 0
	}
	s.shared = nil
}

// key returns the address of a game of this host, from its connection: the host
// does not know its public address.
func (s *session) key(game *warzone.Game) netip.AddrPort {
	port := game.JoinPort()
	if isRecord(game.Layout) {
		port = cmp.Or(s.lobby.server.Games.RecordPort, warzone.GamePortOf20)
	}
	return netip.AddrPortFrom(s.conn.Remote().Addr().WithZone(""), port)
}

// linkWithin is the time within which a host may add its game again over the
// other address family. Hosts do both at once.
const linkWithin = 15 * time.Second

// link makes e, which was verified, the second address of a game that is already listed.
// Hosts of 2.3 add a game over IPv4 and over IPv6, with the id received on one of the
// connections.
func (s *session) link(e warzonegames.Entry) bool {
	games := s.lobby.server.Games
	first, ok := games.FindID(e.Game.GameID)
	if !ok || s.id != 0 || !isSecond(e, first) {
		return false
	}
	taken := false
	_, err := games.Update(first.ID, func(first *warzonegames.Entry) {
		taken = first.Game.SecondaryHosts[0] != ""
		if !taken {
			first.Game.SecondaryHosts[0] = games.ForLobbies().PublicAddr(e.Key).Addr().String()
		}
	})
	if err != nil || taken {
		return false
	}
	s.linked = first.ID
	return true
}

// isSecond reports whether e is the same game as first, over the other address
// family. Because ids are public, all fields must match and first must be new.
func isSecond(e, first warzonegames.Entry) bool {
	e.Game.Host = first.Game.Host
	return e.Game == first.Game && e.Game.Version == warzone.Version3 && first.Source == warzonegames.SourceLobby &&
		time.Since(first.Opened) < linkWithin && e.Key.Addr().Is4() != first.Key.Addr().Is4()
}
