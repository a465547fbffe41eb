package warzonenet

import (
	"math"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/fit"
	"github.com/lobbywire/lobbywire/warzone"
)

// SetView sets the description of the game to as much of v as lobbies can list, and returns
// the fields that it has changed; package [lobbywire] describes the rules.
//
//	Name        Name, up to 63 bytes without a zero byte, like the next two
//	Map         MapName, up to 39 bytes
//	Version     VersionString, up to 63 bytes
//	Port        HostPort
//	Players     CurrentPlayers, up to 2147483647
//	Max         MaxPlayers, up to 2147483647
//	Password    Private
//	Mods        ModList, up to 254 bytes without a zero byte
//	Spectators  UserFlags, up to 65535, with MaxSpectators, at least as many, as slots
//
// The other fields are not sent.
func (h *Host) SetView(v lobbywire.View) (changed []string) {
	var f fit.Fitter
	_ = h.Set(gameOf(&v, &f)) // cannot fail
	return f.Changed
}

// gameOf returns the game for v, with texts and numbers that fit.
func gameOf(v *lobbywire.View, f *fit.Fitter) warzone.Game {
	players, places := f.Counts(v, math.MaxInt32)
	text := func(name, s string, limit int) string {
		return f.Text(fit.Field{Name: name}, s, fit.Rule{Max: limit, Forbidden: "\x00"})
	}
	game := warzone.Game{
		Name:           text("name", v.Name, 63),
		MapName:        text("map", v.Map, 39),
		MaxPlayers:     uint32(places),
		CurrentPlayers: uint32(players),
		HostPort:       v.Port,
		VersionString:  text("version", v.Version, 63),
		ModList:        text("mods", strings.Join(v.Mods, ", "), 254),
	}
	spectators := uint32(f.Number(fit.Field{Name: "spectators"}, v.Spectators, 0, math.MaxUint16))
	slots := uint32(f.Number(fit.Field{Name: "maxSpectators"}, v.MaxSpectators, 0, math.MaxUint16))
	game.UserFlags[1] = spectators<<16 | max(spectators, slots)
	if v.Password != nil && *v.Password {
		game.Private = 1
	}
	return game
}
