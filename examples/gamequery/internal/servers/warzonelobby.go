package servers

import (
	"fmt"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// NewWarzoneLobby returns a TCP lobby of Warzone 2100, which lists games.
func NewWarzoneLobby(games *warzonegames.Games) Server {
	l := &warzonenet.Lobby{Games: games}
	return Server{
		accept:   l.Serve,
		shutdown: l.Shutdown,
		Stats: func() string {
			s := l.Stats()
			return lobbyTraffic(s.ConnStats, s.Added, s.Lists)
		},
	}
}

func lobbyTraffic(conns lobbywire.ConnStats, games, lists uint64) string {
	return fmt.Sprintf("accepted %d connections, listed %d games, sent %d lists", conns.Accepted, games, lists)
}
