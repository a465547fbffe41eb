package lobbywire_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// A lossyNet loses datagrams of scans, and records which servers got one through.
type lossyNet struct {
	nettest.Network

	mu      sync.Mutex
	share   float64 // of the datagrams, each way
	random  map[netip.Addr]*rand.Rand
	arrived map[netip.AddrPort]int // datagrams from servers
}

// clientAddr is where scans send from.
var clientAddr = netip.MustParseAddr("127.0.0.1")

// reset sets the share of lost datagrams.
func (n *lossyNet) reset(share float64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.share, n.random, n.arrived = share, map[netip.Addr]*rand.Rand{}, map[netip.AddrPort]int{}
}

// arrivals returns the number of datagrams of a server that have arrived.
func (n *lossyNet) arrivals(server netip.AddrPort) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.arrived[server]
}

// route loses datagrams. Each server has a random sequence of its own, so that a test
// does not depend on the order of the queries.
func (n *lossyNet) route(p nettest.Packet) []nettest.Packet {
	n.mu.Lock()
	defer n.mu.Unlock()
	server := p.To
	if p.To.Addr() == clientAddr {
		server = p.From
	}
	r := n.random[server.Addr()]
	if r == nil {
		b := server.Addr().As4()
		r = rand.New(rand.NewPCG(uint64(binary.BigEndian.Uint32(b[:])), uint64(n.share*1000)))
		n.random[server.Addr()] = r
	}
	if r.Float64() < n.share {
		return nil
	}
	if p.From == server {
		n.arrived[server]++
	}
	p.Delay = time.Duration(10+r.IntN(20)) * time.Millisecond
	return []nettest.Packet{p}
}

func (n *lossyNet) listen(context.Context) (net.PacketConn, error) {
	return n.Network.Listen(netip.AddrPortFrom(clientAddr, 0))
}

// randomServer returns a server with up to a number of players.
func randomServer(r *rand.Rand, most int) lobbywire.View {
	word := func(least, most int) string {
		var b strings.Builder
		for range least + r.IntN(most-least+1) {
			b.WriteByte(byte('a' + r.IntN(26)))
		}
		return b.String()
	}
	v := lobbywire.View{
		Name: word(1, 40), Game: word(3, 12), Map: word(1, 20), Mode: word(0, 8), Version: word(1, 8),
		Port: uint16(1 + r.IntN(65535)), Max: new(most),
	}
	for i := range r.IntN(most + 1) {
		v.Roster = append(v.Roster, lobbywire.Player{
			Name: fmt.Sprint(word(1, 24), i), Score: new(r.IntN(500)), Ping: new(r.IntN(300)),
			Team: fmt.Sprint(1 + r.IntN(2)),
		})
	}
	v.Players = new(len(v.Roster))
	for i := range r.IntN(6) {
		v.Rules = append(v.Rules, lobbywire.Rule{Key: fmt.Sprint("rule", i), Value: word(0, 12)})
	}
	return v
}

// Under loss, a scan of 210 random servers of each protocol finds every server that got a
// datagram through, and an answer that is not Partial is whole.
func TestScanUnderLossFindsWhoeverAnswered(t *testing.T) {
	servers := suite.Pick(30, 210)
	synctest.Test(t, func(t *testing.T) {
		n := new(lossyNet)
		n.Route = n.route
		r := rand.New(rand.NewPCG(23, 5))
		var scans []clientScan
		add := func(scanner lobbywire.Scanner, players int, newServer func(i int) server) {
			var targets []netip.AddrPort
			for i := range servers {
				addr := netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, 18, byte(len(scans)), byte(i)}), uint16(1024+i))
				pc, err := n.Network.Listen(addr)
				if err != nil {
					t.Fatal(err)
				}
				s := newServer(i)
				if changed := s.SetView(randomServer(r, players)); changed != nil {
					t.Fatalf("SetView changed %q", changed)
				}
				done := make(chan struct{})
				go func() {
					defer close(done)
					s.Serve(pc)
				}()
				t.Cleanup(func() {
					s.Close()
					<-done
				})
				targets = append(targets, addr)
			}
			scans = append(scans, clientScan{scanner, slices.Values(targets)})
		}
		modes := []gamespy2net.ChallengeMode{gamespy2net.ChallengeOff, gamespy2net.ChallengeOffered,
			gamespy2net.ChallengeRequired}
		// Answers have up to eight datagrams, and nothing reports that one is lost.
		add(&sqpnet.Client{Listen: n.listen, ViewChunks: sqp.AllChunks &^ sqp.ChunkMetrics}, 64,
			func(int) server { return new(sqpnet.Server) })
		add(&gamespy2net.Client{Listen: n.listen}, 150,
			func(i int) server { return &gamespy2net.Server{Challenge: modes[i%len(modes)]} })
		add(&gameagentnet.Client{Listen: n.listen, ViewPlayers: true}, 180,
			func(int) server { return new(gameagentnet.Server) })
		add(&gamespy1net.Client{Listen: n.listen}, 180,
			func(int) server { return new(gamespy1net.Server) })

		n.reset(0)
		whole := map[netip.AddrPort]lobbywire.View{}
		for r := range resultsOf(t.Context(), scans...) {
			if r.Err != nil || r.Partial || len(r.View.Roster) != *r.View.Players {
				t.Fatalf("without loss: %s %v: partial %v, %d of %d players, %v", r.Protocol, r.Query, r.Partial,
					len(r.View.Roster), *r.View.Players, r.Err)
			}
			whole[r.Query] = r.View
		}
		for _, share := range []float64{0.05, 0.20} {
			n.reset(share)
			start := time.Now()
			results := map[netip.AddrPort]bool{}
			silent, partial := map[string]int{}, map[string]int{}
			for r := range resultsOf(t.Context(), scans...) {
				results[r.Query] = true
				name := r.Protocol + r.Query.Addr().String()[:8]
				switch {
				case r.Err != nil:
					silent[name]++
					if n.arrivals(r.Query) > 0 {
						t.Errorf("loss %v: %s %v has sent %d datagrams that arrived: %v", share, r.Protocol, r.Query,
							n.arrivals(r.Query), r.Err)
					}
				case r.Partial:
					partial[name]++
				default:
					if diff := cmp.Diff(whole[r.Query], r.View); diff != "" {
						t.Errorf("loss %v: %s %v is not whole (-want +got):\n%s", share, r.Protocol, r.Query, diff)
					}
				}
			}
			t.Logf("loss %v: silent %v, partial %v of %d each, in %v", share, silent, partial, servers,
				time.Since(start))
			if len(results) != len(whole) {
				t.Errorf("loss %v: %d results for %d servers", share, len(results), len(whole))
			}
		}
	})
}

// By default, all scans query a silent server equally often.
func TestScansMakeTheSameAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := new(lossyNet)
		n.Route = n.route
		n.reset(1)
		for i, scanner := range []lobbywire.Scanner{
			&sqpnet.Client{Listen: n.listen},
			&gamespy2net.Client{Listen: n.listen},
			&gameagentnet.Client{Listen: n.listen},
			&gameagentnet.Client{Listen: n.listen, ViewPlayers: true},
			&gamespy1net.Client{Listen: n.listen},
		} {
			start := time.Now()
			targets := slices.Values([]netip.AddrPort{netip.MustParseAddrPort("198.51.100.1:1024")})
			for r := range scanner.ScanViews(t.Context(), targets) {
				if took := time.Since(start).Round(10 * time.Millisecond); r.Attempts != 4 || took != 4*time.Second {
					t.Errorf("%d: %s makes %d attempts in %v", i, r.Protocol, r.Attempts, took)
				}
			}
		}
	})
}
