package wzhttp

import (
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// View returns the game in the common form. The address is unknown, because only a
// [JoinReply] contains it. Rules has the same keys as for games of the binary protocol.
//
//	Name        Name
//	Game        "warzone2100"
//	Map         Map.Name
//	Version     Version
//	Players     Players.Current
//	Max         Players.Max
//	Password    Private
//	Mods        names of Mods
//	Spectators  Spectators.Current, and Spectators.Max in MaxSpectators, unless both are 0
//	Rules       hostName, modList, limits, spectators, spectatorSlots, blindMode and
//	            alliances, if they are set
func (m Room) View() lobbywire.View {
	v := lobbywire.View{
		Name:     lobbywire.UTF8(m.Name),
		Game:     "warzone2100",
		Map:      lobbywire.UTF8(m.Map.Name),
		Version:  lobbywire.UTF8(m.Version),
		Players:  wire.Count(int64(m.Players.Current)),
		Max:      wire.Count(int64(m.Players.Max)),
		Password: new(m.Private),
		Mods:     make([]string, 0, len(m.Mods)),
	}
	if m.Spectators.Max > 0 || m.Spectators.Current > 0 {
		v.Spectators = wire.Count(int64(m.Spectators.Current))
		v.MaxSpectators = wire.Count(int64(m.Spectators.Max))
	}
	add := func(key, value string) { v.Rules = wire.AppendRule(v.Rules, key, value) }
	addNumber := func(key string, n uint32) { v.Rules = wire.AppendNumberRule(v.Rules, key, n) }
	add("hostName", m.Host.Name)
	for _, mod := range m.Mods {
		v.Mods = append(v.Mods, lobbywire.UTF8(mod.Name))
	}
	add("modList", strings.Join(v.Mods, ", "))
	if m.Limits != 0 {
		add("limits", m.Limits.String())
	}
	addNumber("spectators", m.Spectators.Current)
	addNumber("spectatorSlots", m.Spectators.Max)
	addNumber("blindMode", uint32(m.Blind))
	addNumber("alliances", uint32(m.Alliances))
	return v
}

// View returns the game in the common form, as [Room.View] does, with the members in Extra
// as further Rules.
func (m Game) View() lobbywire.View {
	v := m.Room.View()
	v.Rules = wirejson.AppendRules(v.Rules, m.Extra)
	return v
}

// View returns the game in the common form, as [Game.View] does.
func (m Create) View() lobbywire.View { return Game{Room: m.Room, Extra: m.Extra}.View() }
