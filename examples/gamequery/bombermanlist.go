package main

import (
	"context"
	"fmt"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

func bombermanProtocol() protocol {
	return protocol{
		name:       "bomberman",
		network:    "tcp",
		masterPort: bomberman.Port,
		serve:      newBombermanServer,
		games: func(ctx context.Context, addr string, a asking) (gameList, error) {
			c := bombermannet.Client{Timeout: a.timeout, Dial: a.dial}
			listing, err := c.List(ctx, addr)
			return gamesOf("bomberman", listing.Servers, gameServerLayout()), err
		},
		list:   listGames,
		master: func(registered) gameServer { return newManagementServer() },
	}
}

func gameServerLayout() layout {
	return layout{
		header: []string{"ADDRESS", "PLAYERS", "LOBBY", "MODE", "NAME"},
		none:   emptyList,
		row: func(g answer) []string {
			lobby := "closed"
			if s, ok := g.message.(bomberman.Server); ok && s.IsLobbyOpen {
				lobby = "open"
			}
			return []string{g.joinAddress(), playerCount(g.view), lobby, g.view.Mode, g.view.Name}
		},
	}
}

func newManagementServer() gameServer {
	m := new(bombermannet.ManagementServer)
	return gameServer{
		accept:   m.Serve,
		shutdown: m.Shutdown,
		stats: func() string {
			s := m.Stats()
			return fmt.Sprintf("accepted %d connections, sent %d lists, discarded %d messages", s.Accepted, s.Answered, s.Discarded)
		},
	}
}
