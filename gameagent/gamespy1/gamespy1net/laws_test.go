package gamespy1net_test

import (
	"context"
	"iter"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
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
		Server: func(t testing.TB) nettest.Respond { return serving(t, crowd(players, 20)) },
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

func TestServerObeysTheLaws(t *testing.T) {
	laws.Server[*gamespy1net.Server]{
		New: func(t testing.TB) *gamespy1net.Server { return newServer(t, crowd(players, 20)) },
		Limit: func(s *gamespy1net.Server, perSource, global int) {
			s.Limits.PerSource, s.Limits.Global = perSource, global
		},
		Other: func(s *gamespy1net.Server, other laws.Other) { s.Other = other },
		Query: func(ctx context.Context, addr string) laws.Answer {
			a, err := clientOf(nil).Status(ctx, addr)
			return answerOf(gamespy1net.Result{Answer: a, Err: err})
		},
		Request: []byte(`\info\`),
		Requests: func(testing.TB, *gamespy1net.Server, netip.AddrPort) (all [][]byte) {
			for _, req := range queries {
				all = append(all, []byte(req))
			}
			return all
		},
	}.Test(t)
}

func TestRegistrationObeysTheLaws(t *testing.T) {
	laws.Registration{
		Master: func(n *nettest.Network) (laws.Responder, func() []netip.AddrPort) {
			m := new(gamespy1net.Master)
			if n != nil {
				m.Dial = n.Dial
			}
			return m, func() (all []netip.AddrPort) {
				for e := range m.Servers() {
					all = append(all, netip.AddrPortFrom(e.Game.Addr(), e.Game.Port()+1))
				}
				return all
			}
		},
		Server: func(t testing.TB, at laws.Setup) (laws.Responder, laws.Registered) {
			status := duel()
			if at.Conn != nil {
				status.HostPort = at.Conn.LocalAddr().(*net.UDPAddr).AddrPort().Port() - 1
			}
			s := newServer(t, status)
			s.Logger = at.Logger
			r := &gamespy1net.Registration{Server: s, Conn: at.Conn, Addr: at.Master, Key: gamespy1.SeriousSamKey,
				Changed: at.Changed}
			r.SetLookup(at.Lookup)
			return s, r
		},
		Challenged: func(_ testing.TB, _ laws.Responder, r laws.Registered) []byte {
			r.Tick(time.Now(), nil)
			return []byte(`\secure\ABCDEF`)
		},
		Zero:      new(gamespy1net.Registration),
		NoGoodbye: true, // the master first queries the server again
		Unheard:   lobbywire.StandingUnconfirmed,
		Times:     laws.Times{List: 5 * time.Second, Loss: 6 * time.Minute, Again: 6 * time.Minute},
	}.Test(t)
}
