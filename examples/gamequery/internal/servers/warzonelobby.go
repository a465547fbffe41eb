package servers

import (
	"fmt"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

func NewWarzoneLobby(games *warzonegames.Games) Server {
	l := &warzonenet.Lobby{Games: games}
	return Server{
		accept:   l.Serve,
		shutdown: l.Shutdown,
		Stats:    func() string { return lobbyTraffic(l.Stats()) },
	}
}

func lobbyTraffic(s warzonenet.LobbyStats) string {
	return fmt.Sprintf("accepted %d connections, listed %d games, sent %d lists", s.Accepted, s.Added, s.Lists)
}
