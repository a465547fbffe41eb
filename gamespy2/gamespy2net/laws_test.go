package gamespy2net_test

import (
	"context"
	"iter"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/laws"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// players is how many the servers of the laws have, more than fit one datagram.
const players = 64

// clientOf returns a client in n, or one with sockets if n is nil.
func clientOf(n *nettest.Network, p gamespy2net.Protocol) *gamespy2net.Client {
	if n == nil {
		return &gamespy2net.Client{Protocol: p}
	}
	return &gamespy2net.Client{Protocol: p, Dial: n.Dial, Listen: n.ListenAny}
}

// answerOf compares an answer with the state of the servers.
func answerOf(a gamespy2net.Answer, err error) laws.Answer {
	want := sampleState(players)
	m := a.Message
	isTrue := slices.Equal(m.Info, want.Info) && reflect.DeepEqual(m.Players, want.Players) &&
		reflect.DeepEqual(m.Teams, want.Teams)
	if a.Partial {
		isTrue = !slices.ContainsFunc(m.Info, func(kv gamespy2.KeyValue) bool { return !slices.Contains(want.Info, kv) })
	}
	return laws.Answer{Value: a, True: isTrue, Partial: a.Partial, Attempts: a.Attempts, RTT: a.RTT, Err: err}
}

func query(p gamespy2net.Protocol) laws.Query {
	return func(ctx context.Context, n *nettest.Network, addr string) laws.Answer {
		return answerOf(clientOf(n, p).Query(ctx, addr))
	}
}

func TestClientObeysTheLaws(t *testing.T) {
	laws.Client{
		Server: func(t testing.TB) nettest.Respond {
			return nettest.By(newServer(t, gamespy2net.ChallengeOffered, players))
		},
		Queries: map[string]laws.Query{
			"auto":      query(gamespy2net.ProtocolAuto),
			"challenge": query(gamespy2net.ProtocolChallenge),
			"split":     query(gamespy2net.ProtocolSplit),
		},
		Scans: map[string]laws.Scan{
			"scan": func(ctx context.Context, n *nettest.Network, targets iter.Seq[netip.AddrPort]) laws.Results {
				return laws.ResultsOf(clientOf(n, gamespy2net.ProtocolAuto).Scan(ctx, targets),
					func(r gamespy2net.Result) laws.Answer { return answerOf(r.Answer, r.Err) })
			},
		},
		IsChallenge: func(b []byte) bool {
			_, err := gamespy2.ParseChallengeResponse(b)
			return err == nil
		},
	}.Test(t)
}

func TestServerObeysTheLaws(t *testing.T) {
	laws.Server[*gamespy2net.Server]{
		New: func(t testing.TB) *gamespy2net.Server { return newServer(t, gamespy2net.ChallengeRequired, players) },
		Limit: func(s *gamespy2net.Server, perSource, global int) {
			s.Limits.PerSource, s.Limits.Global = perSource, global
		},
		Other: func(s *gamespy2net.Server, other laws.Other) { s.Other = other },
		Query: func(ctx context.Context, addr string) laws.Answer {
			return query(gamespy2net.ProtocolAuto)(ctx, nil, addr)
		},
		Request: wireOf(t, gamespy2.Request{Type: gamespy2.TypeChallenge, ID: id}),
		Requests: func(t testing.TB, s *gamespy2net.Server, from netip.AddrPort) (all [][]byte) {
			for _, flags := range []gamespy2.Flags{0, gamespy2.FlagSplit} {
				q := fullQuery(flags)
				q.HasChallenge, q.Challenge = true, challengeFor(t, s, from)
				all = append(all, wireOf(t, q))
			}
			return append(all, wireOf(t, gamespy2.Request{Type: gamespy2.TypeEcho, ID: id}))
		},
		Amplification: 16. / 7, // a challenge for a request
	}.Test(t)
}

func TestMasterObeysTheLaws(t *testing.T) {
	heartbeat := beat{key: instance}.wire(t)
	laws.Master[*gamespy2net.Master]{
		New: newMaster,
		Nodes: func() func() *gamespy2net.Master {
			h := newHub()
			return func() *gamespy2net.Master {
				m, _ := newNode(h)
				return m
			}
		},
		Requests: [][]byte{heartbeat, beat{key: [4]byte{1}, pairs: []string{"hostname", strings.Repeat("a", 1300)}}.wire(t)},
		Enlist:   func(t testing.TB, m *gamespy2net.Master, server netip.AddrPort) { enlist(t, m, server, heartbeat) },
		Refresh:  heartbeat,
		Listed: func(_ testing.TB, m *gamespy2net.Master) (all []netip.AddrPort) {
			for e := range m.Servers() {
				all = append(all, e.Addr)
			}
			return all
		},
		Limit: func(m *gamespy2net.Master, servers int) {
			m.SetLimits(gamespy2net.MasterLimits{Rates: newMaster().Limits.Rates, MaxServers: servers})
		},
		Expiry: gamespy2net.Expiry,
		Memory: 256 << 10,
	}.Test(t)
}

func TestRegistrationObeysTheLaws(t *testing.T) {
	laws.Registration{
		Master: func(*nettest.Network) (laws.Responder, func() []netip.AddrPort) {
			m := newMaster()
			return m, func() (all []netip.AddrPort) {
				for e := range m.Servers() {
					all = append(all, e.Addr)
				}
				return all
			}
		},
		Server: func(t testing.TB, at laws.Setup) (laws.Responder, laws.Registered) {
			s := newServer(t, gamespy2net.ChallengeOffered, players)
			s.Logger = at.Logger
			r := &gamespy2net.Registration{Server: s, Conn: at.Conn, Addr: at.Master, Game: "gmtest", Key: "HA6zkS",
				Changed: at.Changed}
			r.SetLookup(at.Lookup)
			return s, r
		},
		Challenged: func(t testing.TB, s laws.Responder, r laws.Registered) []byte {
			r.Tick(time.Now(), nil)
			m, _ := r.Master()
			s.Respond(m, recorded(t, "available_answer"), nil)
			r.Tick(time.Now(), nil)
			r.(*gamespy2net.Registration).SetKey(instance)
			return recorded(t, "challenge")
		},
		Zero:    new(gamespy2net.Registration),
		Unheard: lobbywire.StandingSilent,
		Times:   laws.Times{List: 5 * time.Second, Loss: 2 * time.Minute, Again: 2 * time.Minute},
	}.Test(t)
}
