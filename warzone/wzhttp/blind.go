package wzhttp

import "github.com/lobbywire/lobbywire/internal/wire"

// A Blind states how long players are hidden from each other. The game shows the
// simple ones as matchmaking.
type Blind uint8

// The values.
const (
	BlindNone        Blind = 0
	BlindLobby       Blind = 1 // until the game starts
	BlindLobbySimple Blind = 2
	BlindGame        Blind = 3 // until the game ends
	BlindGameSimple  Blind = 4
)

// String returns "none", "blind lobby", "simple blind lobby", "blind game", "simple
// blind game" or, for an unknown value, the like of "blind(7)".
func (b Blind) String() string {
	return wire.EnumName(b, "blind", "none", "blind lobby", "simple blind lobby", "blind game", "simple blind game")
}
