package warzonenet

import (
	"time"

	"github.com/lobbywire/lobbywire/warzone"
)

// linkWithin is the time within which a host may add its game again over the
// other address family. Hosts do both at once.
const linkWithin = 15 * time.Second

// link makes e, which was verified, the second address of a game that is already
// listed. Hosts of 2.3 add a game over IPv4 and over IPv6, with the id that they
// got on one of the connections.
func (s *session) link(e Entry) bool {
	first, ok := s.lobby.games.FindID(e.Game.GameID)
	if !ok || s.id != 0 || !isSecond(e, first) {
		return false
	}
	taken := false
	_, err := s.lobby.games.Update(first.ID, func(first *Entry) {
		if taken = first.Game.SecondaryHosts[0] != ""; !taken {
			first.Game.SecondaryHosts[0] = e.Key.Addr().String()
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
func isSecond(e, first Entry) bool {
	e.Game.Host = first.Game.Host
	return e.Game == first.Game && e.Game.Version == warzone.Version3 && first.Source == SourceLobby &&
		time.Since(first.Opened) < linkWithin && e.Key.Addr().Is4() != first.Key.Addr().Is4()
}

// unlink removes the second address.
func (s *session) unlink() {
	if s.linked != 0 {
		// A removed game has no second address either.
		s.lobby.games.Update(s.linked, func(first *Entry) { first.Game.SecondaryHosts[0] = "" })
		s.linked = 0
	}
}
