package wzhttpnet

import (
	"fmt"
	"math"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/fit"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// SetView sets the description of the game to as much of v as a lobby can list, and returns
// the fields that it has changed; package [lobbywire] describes the rules.
//
//	Name        Name, up to 127 bytes without control characters
//	Map         Map.Name, up to 64 bytes without control characters
//	Version     Version, up to 63 bytes without control characters; 4.7.0 if it is empty
//	Players     Players.Current, up to 2147483647
//	Max         Players.Max, up to 2147483647
//	Password    Private
//	Mods        Mods, up to 64 names of up to 127 bytes without control characters
//	Spectators  Spectators.Current, up to 65535, and MaxSpectators, at least as many, in
//	            Spectators.Max
//
// The result includes fields changed only for the lobby of Earlier. The other fields are
// not sent. Properties outside a View, such as the key of the host, keep the values of the
// last Set; so do unknown Mods, Spectators and MaxSpectators, and the hashes of a map and
// mods with the same names.
func (h *Host) SetView(v lobbywire.View) (changed []string) {
	var f fit.Fitter
	was, _ := h.announcer.Current()
	room := complete(roomOfView(&v, was, &f))
	if h.Earlier != nil {
		for _, field := range h.Earlier.SetView(v) {
			if !slices.Contains(f.Changed, field) {
				f.Change(field)
			}
		}
	}
	h.announcer.Set(room)
	return f.Changed
}

// roomOfView returns room with the fields of v, with texts and numbers that fit.
func roomOfView(v *lobbywire.View, room wzhttp.Room, f *fit.Fitter) wzhttp.Room {
	text := func(name, s string, limit int) string {
		return f.Text(fit.Field{Name: name}, s, fit.Rule{Max: limit, Forbidden: fit.Control})
	}
	players, places := f.Counts(v, math.MaxInt32)
	room.Name = text("name", v.Name, wzhttp.MaxRoomName)
	mapName := text("map", v.Map, maxMap)
	if mapName != room.Map.Name {
		room.Map = wzhttp.Map{Name: mapName}
	}
	room.Version = text("version", v.Version, maxVersion)
	room.Players = wzhttp.Seats{Current: uint32(players), Max: uint32(places), Extra: room.Players.Extra}
	room.Private = v.Password != nil && *v.Password
	if v.Mods != nil {
		room.Mods = modsOfView(v.Mods, room.Mods, f)
	}
	if v.Spectators != nil {
		room.Spectators.Current = uint32(f.Number(fit.Field{Name: "spectators"}, v.Spectators, 0, math.MaxUint16))
	}
	if v.MaxSpectators != nil {
		room.Spectators.Max = uint32(f.Number(fit.Field{Name: "maxSpectators"}, v.MaxSpectators, 0, math.MaxUint16))
	}
	room.Spectators.Max = max(room.Spectators.Max, room.Spectators.Current)
	return room
}

// modsOfView returns mods with these names. Mods with the same names as before are
// unchanged.
func modsOfView(names []string, before []wzhttp.Mod, f *fit.Fitter) (mods []wzhttp.Mod) {
	if len(names) > wzhttp.MaxMods {
		names = names[:wzhttp.MaxMods]
		f.Change("mods")
	}
	for i, name := range names {
		field := fit.Field{Name: fmt.Sprintf("mods[%d]", i)}
		mod := wzhttp.Mod{Name: f.Text(field, name, fit.Rule{Max: maxMod, Forbidden: fit.Control})}
		for _, m := range before {
			if m.Name == mod.Name {
				mod = m
			}
		}
		mods = append(mods, mod)
	}
	return mods
}
