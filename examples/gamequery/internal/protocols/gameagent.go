package protocols

import (
	"context"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// GameAgent returns the protocol of GameAgent, native and legacy.
func GameAgent() Protocol {
	return Protocol{
		Name:       "gameagent",
		Ports:      targets.Ports{Query: traffic.Port("gameagent", traffic.Server)},
		masterPort: traffic.Port("gameagent", traffic.Master),
		Asks:       []string{"status", "full", "legacy", "players", "ping"},
		Query:      queryGameAgent,
		scanner:    func(a Settings) lobbywire.Scanner { return GameAgentClient(a) },
		lister:     func(a Settings, _ gamespy2net.ListQuery) lobbywire.Lister { return GameAgentClient(a) },
		Serve:      servers.NewGameAgent,
		Master:     servers.NewGameAgentMaster,

		HasBytes:     true,
		ListsOverTCP: true,
	}
}

// GameAgentClient returns a client of GameAgent with the given settings.
func GameAgentClient(a Settings) *gameagentnet.Client {
	return &gameagentnet.Client{
		Timeout: a.Timeout, Attempts: a.Attempts, Rate: a.Rate, Legacy: a.Ask == "legacy", ViewPlayers: a.Ask == "full",
		Text: a.Text, Dial: a.Dial, Listen: a.Listen,
	}
}

func queryGameAgent(ctx context.Context, addr netip.AddrPort, a Settings) (output.Answer, error) {
	c := GameAgentClient(a)
	switch a.Ask {
	case "full":
		return askGameAgent(ctx, addr, c.FullStatus)
	case "players":
		return askGameAgent(ctx, addr, c.Players)
	case "ping":
		return askGameAgent(ctx, addr, c.Ping)
	case "legacy":
		return askGameAgent(ctx, addr, c.LegacyStatus)
	}
	return askGameAgent(ctx, addr, c.Status)
}

func askGameAgent[M interface{ View() lobbywire.View }](ctx context.Context, addr netip.AddrPort,
	ask func(ctx context.Context, addr string) (gameagentnet.Answer[M], error),
) (output.Answer, error) {
	r, err := ask(ctx, addr.String())
	got := output.Answer{View: r.Message.View(), Message: r.Message, Lacks: missingPackets(r.Partial), RTT: r.RTT,
		Attempts: r.Attempts}
	if got.View.Port == 0 {
		got.View.Port = gameagentnet.GamePort(r.Message, addr)
	}
	return got, err
}
