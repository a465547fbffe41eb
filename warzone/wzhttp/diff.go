package wzhttp

import (
	"slices"

	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// Apply returns r with the changes of m. Members of m that are nil or not part of a Room
// have no effect. The result shares memory with m.
func (m Patch) Apply(r Room) Room {
	wirejson.Set(&r.Version, m.Version)
	wirejson.Set(&r.Netcode, m.Netcode)
	wirejson.Set(&r.Name, m.Name)
	wirejson.Set(&r.Host, m.Host)
	wirejson.Set(&r.Map, m.Map)
	if m.Mods != nil {
		r.Mods = m.Mods
	}
	wirejson.Set(&r.Players, m.Players)
	wirejson.Set(&r.Spectators, m.Spectators)
	wirejson.Set(&r.Alliances, m.Alliances)
	wirejson.Set(&r.Blind, m.Blind)
	wirejson.Set(&r.Limits, m.Limits)
	wirejson.Set(&r.Private, m.Private)
	return r
}

// Diff returns the Patch that the game's host sends for a change from old to new. The game
// cannot undo three settings, because it omits a Blind of 0, empty Mods and a Private of
// false. Diff omits them, too. A host may add them to the Patch, but some lobbies may not
// support that.
func Diff(old, new Room) Patch {
	var m Patch
	change(&m.Version, old.Version, new.Version)
	change(&m.Netcode, old.Netcode, new.Netcode)
	change(&m.Name, old.Name, new.Name)
	if !old.Host.equal(new.Host) {
		m.Host = &new.Host
	}
	change(&m.Map, old.Map, new.Map)
	if len(new.Mods) > 0 && !slices.EqualFunc(old.Mods, new.Mods, Mod.equal) {
		m.Mods = new.Mods
	}
	if !old.Players.equal(new.Players) {
		m.Players = &new.Players
	}
	if !old.Spectators.equal(new.Spectators) {
		m.Spectators = &new.Spectators
	}
	change(&m.Alliances, old.Alliances, new.Alliances)
	if new.Blind != BlindNone {
		change(&m.Blind, old.Blind, new.Blind)
	}
	change(&m.Limits, old.Limits, new.Limits)
	if new.Private {
		change(&m.Private, old.Private, new.Private)
	}
	return m
}

// change sets p to new if new differs from old.
func change[T comparable](p **T, old, new T) {
	if old != new {
		*p = &new
	}
}
