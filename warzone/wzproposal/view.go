package wzproposal

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// View returns the entry in the common form. The number of players is unknown.
//
//	Name      Name
//	Game      "warzone2100"
//	Map       Map
//	Host      IP
//	Port      Port
//	Max       MaxPlayers
//	Rules     status
func (m Game) View() lobbywire.View {
	v := OpenGame{m.Port, m.Name, m.Map, m.MaxPlayers}.View()
	if m.IP.IsValid() {
		v.Host = lobbywire.UTF8(m.IP.String())
	}
	v.Rules = []lobbywire.Rule{{Key: "status", Value: lobbywire.UTF8(string(m.Status))}}
	return v
}

// View returns the game in the common form, as [Game.View] does.
func (m OpenGame) View() lobbywire.View {
	return lobbywire.View{
		Name: lobbywire.UTF8(m.Name),
		Game: "warzone2100",
		Map:  lobbywire.UTF8(m.Map),
		Port: m.Port,
		Max:  wire.Count(int64(m.MaxPlayers)),
	}
}
