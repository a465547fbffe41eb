package bomberman

import (
	"math"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// View returns the entry in the common form, unchecked; see [Server.Check].
//
//	Name      Name
//	Game      "bomberman"
//	Mode      GameplayMode
//	Host      Address
//	Port      Port
//	Players   Players.Current
//	Max       Players.Max
//	Rules     isLobbyOpen, and Extra
func (m Server) View() lobbywire.View {
	v := lobbywire.View{
		Name:    lobbywire.UTF8(m.Name),
		Game:    "bomberman",
		Mode:    m.GameplayMode.String(),
		Host:    lobbywire.UTF8(m.Address),
		Players: wire.Count(int64(m.Players.Current)),
		Max:     wire.Count(int64(m.Players.Max)),
		Rules:   []lobbywire.Rule{{Key: "isLobbyOpen", Value: strconv.FormatBool(m.IsLobbyOpen)}},
	}
	if m.Port > 0 && m.Port <= math.MaxUint16 {
		v.Port = uint16(m.Port)
	}
	v.Rules = wirejson.AppendRules(v.Rules, m.Extra)
	return v
}

// View returns the stats in the common form, as [Server.View] does.
func (m UpdateGameServerStats) View() lobbywire.View {
	return Server{Players: m.Players, IsLobbyOpen: m.IsLobbyOpen, GameplayMode: m.GameplayMode}.View()
}

// View returns the game server in the common form, as [Server.View] does.
func (m RegisterGameServer) View() lobbywire.View {
	v := Server{Name: m.ServerName, Address: m.ServerAddress, Port: m.ServerPort}.View()
	return lobbywire.View{Name: v.Name, Game: v.Game, Host: v.Host, Port: v.Port}
}
