package protocols

import (
	"context"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// GameAgent returns the protocol of GameAgent, native and legacy.
func GameAgent() Protocol {
	return Protocol{
		Name:       "gameagent",
		Ports:      targets.Ports{Query: traffic.Port("gameagent", traffic.Server)},
		masterPort: traffic.Port("gameagent", traffic.Master),
		Asks:       []string{"status", "full", formLegacy, "players", "ping"},
		Query:      queryGameAgent,
		scanner: func(a Settings) lobbywire.Scanner {
			if a.Ask == formLegacy {
				return LegacyClient(a)
			}
			return GameAgentClient(a)
		},
		lister: func(a Settings, _ gamespy2net.ListQuery) lobbywire.Lister {
			if a.Ask == formLegacy {
				return LegacyClient(a)
			}
			return GameAgentClient(a)
		},
		Serve:  servers.NewGameAgent,
		Master: servers.NewGameAgentMaster,

		HasBytes:     true,
		ListsOverTCP: true,
	}
}

// GameAgentClient returns a client of the native form with the given settings.
func GameAgentClient(a Settings) *gameagentnet.Client {
	return &gameagentnet.Client{
		Timeout: a.Timeout, Attempts: a.Attempts, Rate: a.Rate, ViewPlayers: a.Ask == "full",
		Options: gameagent.Options{Text: a.Text}, Dial: a.Dial, Listen: a.Listen,
	}
}

// LegacyClient returns a client of the legacy form with the given settings.
func LegacyClient(a Settings) *gamespy1net.Client {
	return &gamespy1net.Client{
		Timeout: a.Timeout, Attempts: a.Attempts, Rate: a.Rate,
		Options: gamespy1.Options{Text: a.Text}, Dial: a.Dial, Listen: a.Listen,
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
	case formLegacy:
		r, err := LegacyClient(a).Status(ctx, addr.String())
		port := gamespy1.GamePort(r.Message.GameName, addr.Port())
		return gameAgentAnswer(gameagentnet.Answer[gamespy1.Status](r), port), err
	}
	return askGameAgent(ctx, addr, c.Status)
}

func askGameAgent[M interface{ View() lobbywire.View }](ctx context.Context, addr netip.AddrPort,
	ask func(ctx context.Context, addr string) (gameagentnet.Answer[M], error),
) (output.Answer, error) {
	r, err := ask(ctx, addr.String())
	return gameAgentAnswer(r, gameagent.GameAddr(addr).Port()), err
}

// gameAgentAnswer returns an answer. The port is the game port, for servers that do not
// send it.
func gameAgentAnswer[M interface{ View() lobbywire.View }](r gameagentnet.Answer[M], port uint16) output.Answer {
	got := output.Answer{View: r.Message.View(), Message: r.Message, Lacks: missingPackets(r.Partial), RTT: r.RTT,
		Attempts: r.Attempts}
	if got.View.Port == 0 {
		got.View.Port = port
	}
	return got
}
