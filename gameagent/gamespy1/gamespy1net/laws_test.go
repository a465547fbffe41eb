package gamespy1net_test

import (
	"context"
	"iter"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/laws"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// players is how many the servers of the laws have, more than fit one datagram.
const players = 100

// clientOf returns a client in n, or one with sockets if n is nil.
func clientOf(n *nettest.Network) *gamespy1net.Client {
	if n == nil {
		return new(gamespy1net.Client)
	}
	return &gamespy1net.Client{Dial: n.Dial, Listen: n.ListenAny}
}

// answerOf returns a result, whose message is compared with the state of the servers.
func answerOf(r gamespy1net.Result) laws.Answer {
	isTrue := r.Partial || r.Message.MapName == "Yodeller" && *r.Message.NumPlayers == players
	for _, p := range r.Message.Players {
		isTrue = isTrue && p.Index < players && *p.Frags == int32(p.Index)
	}
	return laws.Answer{
		Value: r.Answer, True: isTrue, Partial: r.Partial, Attempts: r.Attempts, RTT: r.RTT, Err: r.Err,
	}
}

func TestClientObeysTheLaws(t *testing.T) {
	laws.Client{
		Server: func(t testing.TB) nettest.Respond { return crowd(t, players, 20) },
		Queries: map[string]laws.Query{
			"status": func(ctx context.Context, n *nettest.Network, addr string) laws.Answer {
				a, err := clientOf(n).Status(ctx, addr)
				return answerOf(gamespy1net.Result{Answer: a, Err: err})
			},
		},
		Scans: map[string]laws.Scan{
			"scan": func(ctx context.Context, n *nettest.Network, targets iter.Seq[netip.AddrPort]) laws.Results {
				return laws.ResultsOf(clientOf(n).Scan(ctx, targets), answerOf)
			},
		},
	}.Test(t)
}
