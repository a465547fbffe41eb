package warzonenet

import (
	"time"

	"github.com/lobbywire/lobbywire/warzone"
)

// linkWithin is how soon after a game its host may add it again over the other
// address family. It does both at once.
const linkWithin = 15 * time.Second

// link makes e, which could be reached, a second address of a game that is
// listed already, as clients 2.3 add theirs over IPv4 and over IPv6, with the
// id that they were told on one connection.
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

// isSecond tells whether e is first once more. Everybody can read ids in the
// list, so the games must be the same and first only just listed.
func isSecond(e, first Entry) bool {
	e.Game.Host = first.Game.Host
	return e.Game == first.Game && e.Game.Version == warzone.Version3 && first.Source == SourceLobby &&
		time.Since(first.Opened) < linkWithin && e.Key.Addr().Is4() != first.Key.Addr().Is4()
}

// unlink takes back the second address.
func (s *session) unlink() {
	if s.linked != 0 {
		// If the game is gone there is nothing to take back.
		s.lobby.games.Update(s.linked, func(first *Entry) { first.Game.SecondaryHosts[0] = "" })
		s.linked = 0
	}
}
