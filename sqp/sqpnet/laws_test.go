package sqpnet_test

import (
	"context"
	"iter"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/internal/test/laws"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// clientOf returns a client in n, or one with sockets if n is nil.
func clientOf(n *nettest.Network) *sqpnet.Client {
	if n == nil {
		return new(sqpnet.Client)
	}
	return &sqpnet.Client{Dial: n.Dial, Listen: n.ListenAny}
}

// answerOf compares an answer with sampleState.
func answerOf(a sqpnet.Answer, err error) laws.Answer {
	want := sampleState()
	values := cmp.AllowUnexported(sqp.Value{})
	m := a.Message
	isTrue := (m.ServerInfo == nil || cmp.Equal(*m.ServerInfo, want.ServerInfo)) &&
		(m.ServerRules == nil || cmp.Equal(m.ServerRules, want.ServerRules, values)) &&
		(m.PlayerInfo == nil || cmp.Equal(m.PlayerInfo.Rows, want.PlayerInfo.Rows, values)) &&
		(m.Metrics == nil || cmp.Equal(m.Metrics.Values, want.Metrics))
	return laws.Answer{
		Value: a, True: isTrue, Partial: a.Missing != 0, Attempts: a.Attempts, RTT: a.RTT, Err: err,
	}
}

func queryAll(ctx context.Context, n *nettest.Network, addr string) laws.Answer {
	return answerOf(clientOf(n).Query(ctx, addr, sqp.AllChunks))
}

func TestClientObeysTheLaws(t *testing.T) {
	laws.Client{
		Server: func(t testing.TB) nettest.Respond { return nettest.By(newServer(t)) },
		Queries: map[string]laws.Query{
			"server info": func(ctx context.Context, n *nettest.Network, addr string) laws.Answer {
				return answerOf(clientOf(n).Query(ctx, addr, sqp.ChunkServerInfo))
			},
			"all chunks": queryAll,
		},
		Scans: map[string]laws.Scan{
			"scan": func(ctx context.Context, n *nettest.Network, targets iter.Seq[netip.AddrPort]) laws.Results {
				return laws.ResultsOf(clientOf(n).Scan(ctx, targets, sqp.ChunkServerInfo),
					func(r sqpnet.Result) laws.Answer { return answerOf(r.Answer, r.Err) })
			},
		},
		Cut: true,
		IsChallenge: func(b []byte) bool {
			_, err := sqp.ParseChallengeResponse(b)
			return err == nil
		},
	}.Test(t)
}

func TestServerObeysTheLaws(t *testing.T) {
	laws.Server[*sqpnet.Server]{
		New: func(t testing.TB) *sqpnet.Server { return newServer(t) },
		Limit: func(s *sqpnet.Server, perSource, global int) {
			s.Limits.PerSource, s.Limits.Global = perSource, global
		},
		Other:   func(s *sqpnet.Server, other laws.Other) { s.Other = other },
		Query:   func(ctx context.Context, addr string) laws.Answer { return queryAll(ctx, nil, addr) },
		Request: make([]byte, 5), // for a challenge
		Requests: func(t testing.TB, s *sqpnet.Server, from netip.AddrPort) [][]byte {
			return [][]byte{make([]byte, 5), query(t, tokenFor(t, s, from), sqp.AllChunks)}
		},
		Amplification: 1,
	}.Test(t)
}
