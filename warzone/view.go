package warzone

import (
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// View returns the game in the common form. An empty Host means the host of the lobby.
//
//	Name        Name
//	Game        "warzone2100"
//	Map         MapName
//	Mode        GameType
//	Version     VersionString
//	Host        Host
//	Port        JoinPort
//	Players     CurrentPlayers, with computer players
//	Max         MaxPlayers
//	Password    Private; unknown before 2.3
//	Mods        ModList; unknown before 2.3
//	Spectators  Spectators, like MaxSpectators, unless it returns 0 and 0, as for games
//	            before 4.2
//	Rules       hostName, modList, limits, os, spectators, spectatorSlots, blindMode
//	            and the settings of 4.6, if they are set
//
// Campaigns have the Mode "campaign", skirmishes "skirmish" and others a number.
func (m Game) View() lobbywire.View {
	v := lobbywire.View{
		Name:    lobbywire.UTF8(m.Name),
		Game:    "warzone2100",
		Map:     lobbywire.UTF8(m.MapName),
		Version: lobbywire.UTF8(m.VersionString),
		Host:    lobbywire.UTF8(m.Host),
		Port:    m.JoinPort(),
		Players: wire.Count(int64(m.CurrentPlayers)),
		Max:     wire.Count(int64(m.MaxPlayers)),
	}
	if m.GameType() != 0 {
		v.Mode = m.GameType().String()
	}
	if m.Version >= Version3 {
		v.Password = new(m.Private != 0)
		v.Mods = modsOf(m.ModList)
	}
	joined, slots := m.Spectators()
	if slots > 0 || joined > 0 {
		v.Spectators, v.MaxSpectators = new(int(joined)), new(int(slots))
	}
	add := func(key, value string) { v.Rules = wire.AppendRule(v.Rules, key, value) }
	addNumber := func(key string, n uint32) { v.Rules = wire.AppendNumberRule(v.Rules, key, n) }
	add("hostName", m.HostName)
	add("modList", m.ModList)
	if m.Limits != 0 && m.Limits != Filler+2 {
		add("limits", m.Limits.String())
	}
	if m.OS != 0 && m.OS != Filler+3 {
		add("os", m.OS.String())
	}
	addNumber("spectators", uint32(joined))
	addNumber("spectatorSlots", uint32(slots))
	addNumber("blindMode", m.BlindMode())
	s := m.Settings()
	addNumber("alliances", uint32(s.Alliances))
	addNumber("techLevel", uint32(s.TechLevel))
	addNumber("powerLevel", uint32(s.PowerLevel))
	addNumber("basesLevel", uint32(s.BasesLevel))
	return v
}

// modsOf returns the names in a ModList.
func modsOf(list string) []string {
	mods := []string{}
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.Trim(name, " "); name != "" {
			mods = append(mods, lobbywire.UTF8(name))
		}
	}
	return mods
}
