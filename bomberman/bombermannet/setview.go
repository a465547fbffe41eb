package bombermannet

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

// SetView calls [Registrar.Set] with the entry for v; [bomberman.Server.View]
// lists the corresponding fields. It is for games that are visible in several
// protocols. The lobby of the game is open while there is room for players. A Mode
// that the protocol does not have becomes [bomberman.GameplayModeStandardA].
func (r *Registrar) SetView(v lobbywire.View) error {
	players, places := v.Counts()
	entry := bomberman.Server{
		Name:         v.Name,
		Address:      v.Host,
		Port:         int(v.Port),
		Players:      bomberman.PlayerCount{Current: players, Max: places},
		IsLobbyOpen:  players < places,
		GameplayMode: bomberman.GameplayModeStandardA,
	}
	if ab := bomberman.GameplayModeStandardAB; v.Mode == ab.String() {
		entry.GameplayMode = ab
	}
	return r.Set(entry)
}
