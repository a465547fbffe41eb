package bomberman

import "github.com/lobbywire/lobbywire/internal/wire"

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
	return wire.EnumName(m, "gameplayMode", "", "Standard A", "Standard A+B")
}

// gameplayModeFault is the reason for refusing an unknown mode.
const gameplayModeFault wire.Invalid = "is not a mode of the game"

func (m GameplayMode) valid() bool {
	return m == GameplayModeStandardA || m == GameplayModeStandardAB
}
