package protocols

import (
	"context"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// Bomberman returns the protocol of the management server of Bomberman.
func Bomberman() Protocol {
	return Protocol{
		Name:       "bomberman",
		Network:    "tcp",
		masterPort: traffic.Port("bomberman", traffic.Master),
		Serve:      servers.NewBomberman,
		lister:     func(a Settings, _ gamespy2net.ListQuery) lobbywire.Lister { return bombermanClient(a) },
		Games: func(ctx context.Context, addr string, a Settings) (GameList, error) {
			listing, err := bombermanClient(a).List(ctx, addr)
			l := GamesOf("bomberman", listing.Servers, gameServerLayout())
			l.Skipped, l.Partial = listing.Skipped, listing.Partial
			return l, err
		},
		Master: func(servers.GameKey) servers.Server { return servers.NewManagementServer() },
	}
}

func bombermanClient(a Settings) *bombermannet.Client {
	return &bombermannet.Client{Timeout: a.Timeout, Dial: a.Dial}
}

func gameServerLayout() output.Layout {
	return output.Layout{
		Header: []string{"ADDRESS", "PLAYERS", "LOBBY", "MODE", "NAME"},
		None:   EmptyList,
		Row: func(g output.Answer) []string {
			lobby := "closed"
			if s, ok := g.Message.(bomberman.Server); ok && s.IsLobbyOpen {
				lobby = "open"
			}
			return []string{g.JoinAddress(), output.PlayerCount(g.View), lobby, g.View.Mode, g.View.Name}
		},
	}
}
