package bombermannet

import (
	"cmp"
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/fit"
)

// SetView replaces the entry for the list by what Bomberman can carry of v, and returns the
// fields that it has changed; package [lobbywire] describes the rules.
//
//	Name      serverName, up to 255 bytes without control characters; "" becomes a blank
//	Host      serverAddress, an IP address or host name
//	Port      serverPort, except 0 and [bomberman.Port]
//	Players   current, up to 2147483647
//	Max       max, from 2 to 4; 4 if it is unknown
//	Mode      gameplayMode; a Mode that the protocol does not have becomes
//	          [bomberman.GameplayModeStandardA], which is not a change
//
// isLobbyOpen is set while there is room for players. The other fields are not sent.
//
// A game without a valid Host and Port cannot be listed. SetView then keeps the last valid
// ones, and the result contains those that it kept.
func (r *Registrar) SetView(v lobbywire.View) (changed []string) {
	var f fit.Fitter
	entry := entryOf(&v, &f)
	if entry.Check() == nil {
		_ = r.Set(entry) // cannot fail
		return f.Changed
	}
	var last bomberman.Server
	if now := r.now.Load(); now != nil {
		last = now.entry
	}
	if entry.Address != last.Address {
		f.Change("host")
	}
	if entry.Port != last.Port {
		f.Change("port")
	}
	entry.Address, entry.Port = last.Address, last.Port
	_ = r.Set(entry) // fails only before the first valid Host and Port
	return f.Changed
}

// nameRule makes every entry fit into the list of a management server, which is limited.
var nameRule = fit.Rule{Max: 255, Forbidden: fit.Control}

// entryOf returns the entry for v, with a name and numbers that fit.
func entryOf(v *lobbywire.View, f *fit.Fitter) bomberman.Server {
	players, _ := f.Counts(&lobbywire.View{Players: v.Players, Roster: v.Roster}, math.MaxInt32)
	places := bomberman.MaxPlayers
	if v.Max != nil {
		places = f.Number(fit.Field{Name: "max"}, v.Max, minPlaces, bomberman.MaxPlayers)
	}
	entry := bomberman.Server{
		Name:         cmp.Or(f.Text(fit.Field{Name: "name"}, v.Name, nameRule), " "),
		Address:      v.Host,
		Port:         int(v.Port),
		Players:      bomberman.PlayerCount{Current: players, Max: places},
		IsLobbyOpen:  players < places,
		GameplayMode: bomberman.GameplayModeStandardA,
	}
	if v.Mode == bomberman.GameplayModeStandardAB.String() {
		entry.GameplayMode = bomberman.GameplayModeStandardAB
	}
	return entry
}

// minPlaces is the minimum of Players.Max, by the specification.
const minPlaces = 2
