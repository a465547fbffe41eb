package protocols

import (
	"context"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// WZText returns the text proposal for the lobby of Warzone.
func WZText() Protocol { return proposal(proposalnet.Text, "status") }

// WZBinary returns the binary proposal for the lobby of Warzone.
func WZBinary() Protocol { return proposal(proposalnet.Binary, "status") }

// WZJSON returns the JSON proposal for the lobby of Warzone.
func WZJSON() Protocol { return proposal(proposalnet.JSON, "tech") }

// proposal returns a proposal, whose lists have a column for a rule of the games.
func proposal(p proposalnet.Proposal, rule string) Protocol {
	name := "wz" + p.String()
	client := func(a Settings) *proposalnet.Client {
		return &proposalnet.Client{Proposal: p, Timeout: a.Timeout, Dial: a.Dial}
	}
	return Protocol{
		Name:    name,
		Network: "tcp",
		lister:  func(a Settings, _ gamespy2net.ListQuery) lobbywire.Lister { return client(a) },
		Games: func(ctx context.Context, addr string, a Settings) (GameList, error) {
			listing, err := client(a).List(ctx, addr)
			l := GamesOf(name, listing.Games, layoutWith(rule))
			l.Skipped, l.Partial = listing.Skipped, listing.Partial
			return l, err
		},
		Serve:  func(g servers.Game) (servers.Server, error) { return servers.NewProposal(p, g) },
		Master: func(servers.GameKey) servers.Server { return servers.NewProposalLobby(p, nil) },
	}
}
