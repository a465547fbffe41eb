package servers

import (
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// MinecraftType is the type of game that servers of Minecraft report.
const MinecraftType = "SMP"

// NewMinecraft returns a test server of GameSpy 2 that the query clients of Minecraft
// understand too.
func NewMinecraft(g Game) (Server, error) {
	v := gamespy2.Minecraft{
		MOTD:       g.Name,
		GameType:   g.GameType,
		Version:    g.Version,
		Map:        g.Level,
		NumPlayers: new(g.Players),
		MaxPlayers: new(g.MaxPlayers),
		HostPort:   new(int(g.At.Port())),
		HostIP:     "0.0.0.0", // what a server reports that listens on all addresses
	}
	for i := range g.Players {
		v.Players = append(v.Players, playerName(i))
	}
	full := v.Response([4]byte{})
	return serveGameSpy2(g, gamespy2net.State{Info: full.Info, Players: full.Players, Minecraft: true})
}
