package wzhttp

import "strconv"

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

// blindNames are in the order of the numbers.
var blindNames = [...]string{"none", "blind lobby", "simple blind lobby", "blind game", "simple blind game"}

// String returns "none", "blind lobby", "simple blind lobby", "blind game", "simple
// blind game" or, for an unknown value, the like of "blind(7)".
func (b Blind) String() string {
	if int(b) < len(blindNames) {
		return blindNames[b]
	}
	return "blind(" + strconv.Itoa(int(b)) + ")"
}
