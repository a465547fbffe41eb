package protocols

import (
	"context"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// WZText returns the text proposal for the lobby of Warzone.
func WZText() Protocol { return proposal("wztext", wzproposal.Text) }

// WZBin returns the binary proposal for the lobby of Warzone.
func WZBin() Protocol { return proposal("wzbin", wzproposal.Binary) }

func proposal(name string, encoding wzproposal.Encoding) Protocol {
	return Protocol{
		Name:    name,
		Network: "tcp",
		Games: func(ctx context.Context, addr string, a Settings) (GameList, error) {
			c := warzonenet.ProposalClient{Encoding: encoding, Timeout: a.Timeout, Dial: a.Dial}
			l, err := c.List(ctx, addr)
			return GamesOf(name, l.Games, layoutWith("status")), err
		},
		Serve:  func(g servers.Game) (servers.Server, error) { return servers.NewProposal(encoding, g) },
		Master: func(servers.GameKey) servers.Server { return servers.NewProposalLobby(encoding, nil) },
	}
}

func WZJSON() Protocol {
	return Protocol{
		Name:    "wzjson",
		Network: "tcp",
		Games: func(ctx context.Context, addr string, a Settings) (GameList, error) {
			c := warzonenet.JSONClient{Timeout: a.Timeout, Dial: a.Dial}
			l, err := c.List(ctx, addr)
			return GamesOf("wzjson", l.Games, layoutWith("tech")), err
		},
		Serve:  servers.NewJSON,
		Master: func(servers.GameKey) servers.Server { return servers.NewJSONLobby(nil) },
	}
}
