package main

import (
	"context"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

func sqpProtocol() protocol {
	return protocol{
		name:    "sqp",
		query:   querySQP,
		scanner: func(a asking) lobbywire.Scanner { return sqpClient(a) },
		serve:   newSQPServer,
	}
}

func sqpClient(a asking) *sqpnet.Client {
	return &sqpnet.Client{Timeout: a.timeout, Attempts: a.attempts, ViewChunks: a.chunks, Dial: a.dial, Listen: a.listen}
}

func querySQP(ctx context.Context, addr netip.AddrPort, a asking) (answer, error) {
	r, err := sqpClient(a).Query(ctx, addr.String(), a.chunks)
	return answer{view: r.View(), message: r.QueryResponse, lacks: missingChunks(r.Missing), rtt: r.RTT, attempts: r.Attempts}, err
}

func missingChunks(c sqp.Chunks) string {
	if c == 0 {
		return ""
	}
	return c.String()
}

func gamespy2Client(a asking) *gamespy2net.Client {
	how := map[string]gamespy2net.Protocol{
		"challenge": gamespy2net.Challenge, "split": gamespy2net.Split, "plain": gamespy2net.Plain,
	}
	return &gamespy2net.Client{Protocol: how[a.ask], Timeout: a.timeout, Attempts: a.attempts, Dial: a.dial, Listen: a.listen}
}

func gamespy2Protocol() protocol {
	return protocol{
		name:       "gamespy2",
		ports:      ports{query: gamespy2QueryPort},
		masterPort: qr2.MasterPort,
		listPort:   sb2.Port,
		asks:       []string{"auto", "challenge", "split", "plain"},
		query:      queryGameSpy2,
		scanner:    func(a asking) lobbywire.Scanner { return gamespy2Client(a) },
		serve:      newGameSpy2Server,
		list:       listGameSpy2,
		master:     newGameSpyMaster,

		listsOverTCP: true,
		discover:     discoverGameSpy2,
	}
}

func queryGameSpy2(ctx context.Context, addr netip.AddrPort, a asking) (answer, error) {
	r, err := gamespy2Client(a).Query(ctx, addr.String())
	return answer{view: r.View(), message: r.Response, lacks: missingPackets(r.Partial), rtt: r.RTT, attempts: r.Attempts}, err
}

// missingPackets returns what a partial answer lacks.
func missingPackets(isPartial bool) string {
	if isPartial {
		return "packets"
	}
	return ""
}

func gameagentProtocol() protocol {
	return protocol{
		name:       "gameagent",
		ports:      ports{query: gameagent.GamePort + 1},
		masterPort: gameagent.MasterPort,
		asks:       []string{"status", "legacy", "players", "ping"},
		query:      queryGameAgent,
		scanner:    func(a asking) lobbywire.Scanner { return gameagentClient(a) },
		serve:      newGameAgentServer,
		list:       listGameAgent,
		master:     newGameAgentMaster,

		listsOverTCP: true,
	}
}

func gameagentClient(a asking) *gameagentnet.Client {
	return &gameagentnet.Client{
		Timeout: a.timeout, Attempts: a.attempts, Legacy: a.ask == "legacy", Dial: a.dial, Listen: a.listen,
	}
}

func queryGameAgent(ctx context.Context, addr netip.AddrPort, a asking) (answer, error) {
	c := gameagentClient(a)
	switch a.ask {
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
) (answer, error) {
	r, err := ask(ctx, addr.String())
	got := answer{view: r.Message.View(), message: r.Message, lacks: missingPackets(r.Partial), rtt: r.RTT, attempts: r.Attempts}
	if got.view.Port == 0 {
		got.view.Port = gameagent.GameAddr(addr).Port()
	}
	return got, err
}

// gamespy2QueryPort is the port of queries of Battlefield 2. Each game has its own.
const gamespy2QueryPort = 29900
