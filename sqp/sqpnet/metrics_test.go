package sqpnet_test

import (
	"math/rand/v2"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/sqp"
)

// lossy loses a share of the packets.
func lossy(seed uint64, share float64) func(nettest.Packet) []nettest.Packet {
	r := rand.New(rand.NewPCG(seed, 7))
	var mu sync.Mutex
	return func(p nettest.Packet) []nettest.Packet {
		mu.Lock()
		defer mu.Unlock()
		if r.Float64() < share {
			return nil
		}
		return []nettest.Packet{p}
	}
}

// A query of Unity's Go server, which sends Metrics in version 2 only and takes each token
// once, gets them although datagrams are lost.
func TestQueryGetsMetricsOfVersion2(t *testing.T) {
	const queries = 1000
	missing := 0
	lose := lossy(1, 0.05)
	for range queries {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			tokens := map[netip.AddrPort]uint32{}
			w.Serve(t, home, func(from netip.AddrPort, req []byte) [][]byte {
				m, err := sqp.ParseRequest(req)
				if err != nil {
					return nil
				}
				if m.Type == sqp.TypeChallenge {
					tokens[from] = uint32(len(tokens)) + 1
					b, _ := sqp.ChallengeResponse{Token: tokens[from]}.AppendBinary(nil)
					return [][]byte{b}
				}
				token, ok := tokens[from]
				if !ok || token != m.Query.Token {
					return nil
				}
				delete(tokens, from)
				answer := sqp.QueryResponse{Token: token, Version: m.Query.Version}
				if m.Query.Version >= sqp.VersionMetrics && m.Query.Chunks&sqp.ChunkMetrics != 0 {
					answer.Metrics = &sqp.Metrics{Values: []float32{1, 2}}
				}
				b, err := answer.AppendBinary(nil)
				if err != nil {
					t.Error(err)
				}
				return [][]byte{b}
			})
			w.Route = lose
			a, err := w.client.Query(t.Context(), home.String(), sqp.ChunkMetrics)
			if err != nil || a.Message.Metrics == nil {
				missing++
			}
		})
	}
	if missing*100 > queries {
		t.Errorf("%d of %d queries miss Metrics", missing, queries)
	}
}
