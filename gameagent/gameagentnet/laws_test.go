package gameagentnet_test

import (
	"context"
	"iter"
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/internal/test/laws"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// players is how many the servers of the laws have, more than fit one datagram.
const players = 100

// clientOf returns a client in n, or one with sockets if n is nil.
func clientOf(n *nettest.Network) *gameagentnet.Client {
	if n == nil {
		return new(gameagentnet.Client)
	}
	return &gameagentnet.Client{Dial: n.Dial, Listen: n.ListenAny}
}

func result[M any](a gameagentnet.Answer[M], err error) gameagentnet.Result[M] {
	return gameagentnet.Result[M]{Answer: a, Err: err}
}

// answerOf returns a result, whose message is compared with the state of the servers by
// isTrue.
func answerOf[M any](r gameagentnet.Result[M], isTrue bool) laws.Answer {
	return laws.Answer{
		Value: r.Answer, True: isTrue, Partial: r.Partial, Attempts: r.Attempts, RTT: r.RTT, Err: r.Err,
	}
}

func statusOf(r gameagentnet.Result[gameagent.Status]) laws.Answer {
	return answerOf(r, r.Message.Level == "Yodeller" && *r.Message.Players == players)
}

// areTrue reports whether all are players of the servers.
func areTrue(all []gameagent.Player) bool {
	for _, p := range all {
		if p.Index >= players || *p.Frags != int32(p.Index) {
			return false
		}
	}
	return true
}

func TestClientObeysTheLaws(t *testing.T) {
	laws.Client{
		Server: func(t testing.TB) nettest.Respond { return unlimited(t, crowd(players, 20)) },
		Queries: map[string]laws.Query{
			"status": func(ctx context.Context, n *nettest.Network, addr string) laws.Answer {
				return statusOf(result(clientOf(n).Status(ctx, addr)))
			},
			"players": func(ctx context.Context, n *nettest.Network, addr string) laws.Answer {
				r := result(clientOf(n).Players(ctx, addr))
				return answerOf(r, areTrue(r.Message.Players) && (r.Partial || r.Message.Count == players))
			},
			"ping": func(ctx context.Context, n *nettest.Network, addr string) laws.Answer {
				r := result(clientOf(n).Ping(ctx, addr))
				return answerOf(r, r.Message.Players == players)
			},
		},
		Scans: map[string]laws.Scan{
			"scan": func(ctx context.Context, n *nettest.Network, targets iter.Seq[netip.AddrPort]) laws.Results {
				return laws.ResultsOf(clientOf(n).Scan(ctx, targets), statusOf)
			},
		},
	}.Test(t)
}

func TestServerObeysTheLaws(t *testing.T) {
	laws.Server[*gameagentnet.Server]{
		New: func(t testing.TB) *gameagentnet.Server { return newServer(t, crowd(players, 20)) },
		Limit: func(s *gameagentnet.Server, perSource, global int) {
			s.Limits.PerSource, s.Limits.Global = perSource, global
		},
		Other: func(s *gameagentnet.Server, other laws.Other) { s.Other = other },
		Query: func(ctx context.Context, addr string) laws.Answer {
			return statusOf(result(clientOf(nil).Status(ctx, addr)))
		},
		Request: askStatus,
		Requests: func(testing.TB, *gameagentnet.Server, netip.AddrPort) (all [][]byte) {
			for _, req := range []string{"\x02", "\x03", "\x04"} {
				all = append(all, []byte(req))
			}
			return all
		},
	}.Test(t)
}

func TestRegistrationObeysTheLaws(t *testing.T) {
	laws.Registration{
		Master: func(*nettest.Network) (laws.Responder, func() []netip.AddrPort) {
			m := newMaster()
			return m, func() (all []netip.AddrPort) {
				for e := range m.Servers() {
					all = append(all, netip.AddrPortFrom(e.Game.Addr(), e.Game.Port()+1))
				}
				return all
			}
		},
		Server: func(t testing.TB, at laws.Setup) (laws.Responder, laws.Registered) {
			s := newServer(t, duel())
			s.Logger = at.Logger
			r := &gameagentnet.Registration{Server: s, Conn: at.Conn, Addr: at.Master, Changed: at.Changed}
			r.SetLookup(at.Lookup)
			return s, r
		},
		Challenged: func(_ testing.TB, _ laws.Responder, r laws.Registered) []byte {
			r.Tick(time.Now(), nil)
			return []byte{1, 1, 2, 3, 4}
		},
		Zero:      new(gameagentnet.Registration),
		NoGoodbye: true,
		Unheard:   lobbywire.StandingSilent,
		Times:     laws.Times{List: 5 * time.Second, Loss: 6 * time.Minute, Again: 6 * time.Minute},
	}.Test(t)
}
