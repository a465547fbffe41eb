package warzonenet

import (
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/warzone"
)

// SetView calls [Host.Set] with the game for v; [warzone.Game.View] lists the
// corresponding fields. It is for games that are visible in several protocols.
// Host, Mode and Rules are not sent.
func (h *Host) SetView(v lobbywire.View) error {
	players, places := v.Counts()
	for _, n := range []int{players, places} {
		if n < 0 || n > math.MaxInt32 {
			return &lobbywire.Error{Proto: "warzone", Field: "players", Offset: -1, Err: wire.Exceeded(n, math.MaxInt32)}
		}
	}
	game := warzone.Game{
		Name:           v.Name,
		MapName:        v.Map,
		MaxPlayers:     uint32(places),
		CurrentPlayers: uint32(players),
		HostPort:       v.Port,
		VersionString:  v.Version,
	}
	if v.Password != nil && *v.Password {
		game.Private = 1
	}
	return h.Set(game)
}
