package bomberman

import (
	"strconv"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A GameplayMode is the set of rules of a game server.
type GameplayMode int

// The modes. The second has more power-ups.
const (
	GameplayModeStandardA  GameplayMode = 1
	GameplayModeStandardAB GameplayMode = 2
)

// String returns "Standard A", "Standard A+B" or a form such as
// "gameplayMode(7)".
func (m GameplayMode) String() string {
	switch m {
	case GameplayModeStandardA:
		return "Standard A"
	case GameplayModeStandardAB:
		return "Standard A+B"
	}
	return "gameplayMode(" + strconv.Itoa(int(m)) + ")"
}

// gameplayModeFault is the reason for another mode.
const gameplayModeFault wire.Invalid = "is not a mode of the game"

func (m GameplayMode) valid() bool {
	return m == GameplayModeStandardA || m == GameplayModeStandardAB
}
