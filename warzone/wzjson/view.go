package wzjson

import (
	"cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// View returns the entry in the common form. The number of players is unknown, and so is
// Max if MaxPlayers is 0.
//
//	Name      Name
//	Game      "warzone2100"
//	Map       Map
//	Host      Host
//	Port      Port, or DefaultPort
//	Max       MaxPlayers
//	Rules     tech, and Extra
func (m Game) View() lobbywire.View {
	v := lobbywire.View{
		Name: lobbywire.UTF8(m.Name),
		Game: "warzone2100",
		Map:  lobbywire.UTF8(m.Map),
		Port: cmp.Or(m.Port, DefaultPort),
	}
	if m.Host.IsValid() {
		v.Host = m.Host.String()
	}
	if m.MaxPlayers > 0 {
		v.Max = wire.Count(int64(m.MaxPlayers))
	}
	if m.Tech != "" {
		v.Rules = []lobbywire.Rule{{Key: "tech", Value: lobbywire.UTF8(string(m.Tech))}}
	}
	v.Rules = wirejson.AppendRules(v.Rules, m.Extra)
	return v
}

// View returns the game in the common form, as [Game.View] does.
func (m Add) View() lobbywire.View { return m.Game().View() }
