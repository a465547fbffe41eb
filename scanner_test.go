package lobbywire_test

import (
	"context"
	"errors"
	"iter"
	"net"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// sqpServer, gamespyServer and agentServer return servers to scan.
func sqpServer() *sqpnet.Server {
	var s sqpnet.Server
	info := sqp.ServerInfo{ServerName: "Duel", Map: "Rush", CurrentPlayers: 3, MaxPlayers: 8, Port: 7777}
	if err := s.Set(sqpnet.State{ServerInfo: info}); err != nil {
		panic(err)
	}
	return &s
}

func gamespyServer() *gamespy2net.Server {
	var s gamespy2net.Server
	err := s.Set(gamespy2net.State{
		Info: []gamespy2.KeyValue{{Key: "hostname", Value: "Reef"}, {Key: "hostport", Value: "16567"},
			{Key: "numplayers", Value: "0"}},
	})
	if err != nil {
		panic(err)
	}
	return &s
}

// agents answer GameAgent and the first GameSpy protocol at one port.
type agents struct {
	gameagentnet.Server
	gamespy1 gamespy1net.Server
}

func agentServer() *agents {
	s := new(agents)
	s.Other = func(_ netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) ([][]byte, bool) {
		return s.gamespy1.Respond(from, req, dst)
	}
	s.SetView(lobbywire.View{Name: "Karnak", Max: new(4)})
	return s
}

// SetView returns what either has changed.
func (s *agents) SetView(v lobbywire.View) (changed []string) {
	changed = s.Server.SetView(v)
	for _, field := range s.gamespy1.SetView(v) {
		if !slices.Contains(changed, field) {
			changed = append(changed, field)
		}
	}
	return changed
}

// A mixedNet is a network with a server of each protocol, and their clients.
type mixedNet struct {
	nettest.Network
	sqp       sqpnet.Client
	gamespy2  gamespy2net.Client
	gameagent gameagentnet.Client
	gamespy1  gamespy1net.Client

	servers map[netip.AddrPort]server
}

// A server answers queries in one of the protocols.
type server interface {
	SetView(lobbywire.View) (changed []string)
	Serve(net.PacketConn) error
	Close() error
}

// Where the servers are; nobody is at nowhere.
var (
	atSQP       = netip.MustParseAddrPort("192.0.2.1:7778")
	atGameSpy   = netip.MustParseAddrPort("192.0.2.2:29900")
	atGameAgent = netip.MustParseAddrPort("192.0.2.3:25601")
	nowhere     = netip.MustParseAddrPort("192.0.2.4:7001")
)

func newMixedNet(t *testing.T) *mixedNet {
	n := new(mixedNet)
	listen := func(context.Context) (net.PacketConn, error) {
		return n.Network.Listen(netip.MustParseAddrPort("127.0.0.1:0"))
	}
	n.sqp.Listen, n.gamespy2.Listen, n.gameagent.Listen, n.gamespy1.Listen = listen, listen, listen, listen
	n.gameagent.Dial = n.Network.Dial
	n.servers = map[netip.AddrPort]server{atSQP: sqpServer(), atGameSpy: gamespyServer(),
		atGameAgent: agentServer()}
	for addr, s := range n.servers {
		pc, err := n.Network.Listen(addr)
		if err != nil {
			t.Fatal(err)
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
	}
	return n
}

// A clientScan is a Scanner and the targets that it queries.
type clientScan struct {
	scanner lobbywire.Scanner
	targets iter.Seq[netip.AddrPort]
}

// resultsOf yields the results of scans, which run one after the other.
func resultsOf(ctx context.Context, scans ...clientScan) iter.Seq[lobbywire.ScanResult] {
	return func(yield func(lobbywire.ScanResult) bool) {
		for _, s := range scans {
			for r := range s.scanner.ScanViews(ctx, s.targets) {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// scans returns scans of all servers and of nowhere.
func (n *mixedNet) scans() []clientScan {
	return []clientScan{
		{&n.sqp, slices.Values([]netip.AddrPort{atSQP, nowhere})},
		{&n.gamespy2, slices.Values([]netip.AddrPort{nowhere, atGameSpy})},
		{&n.gameagent, slices.Values([]netip.AddrPort{atGameAgent})},
		{&n.gamespy1, slices.Values([]netip.AddrPort{nowhere})},
	}
}

// The servers of all protocols answer in one form, silent ones with an error.
func TestScannersHaveOneForm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		got := map[string]lobbywire.View{}
		silent := 0
		for r := range resultsOf(t.Context(), n.scans()...) {
			switch {
			case r.Query == nowhere && errors.Is(r.Err, lobbywire.ErrTimeout):
				silent++
				if r.Answer != nil || r.Attempts < 3 {
					t.Errorf("%s: silent after %d attempts, with answer %v", r.Protocol, r.Attempts, r.Answer)
				}
			case r.Err != nil || r.Answer == nil || r.Partial || r.Attempts == 0:
				t.Errorf("%s %s: %+v", r.Protocol, r.Query, r)
			default:
				r.View.Rules = nil
				got[r.Protocol+" "+r.Query.String()] = r.View
			}
		}
		want := map[string]lobbywire.View{
			"sqp 192.0.2.1:7778":        {Name: "Duel", Map: "Rush", Port: 7777, Players: new(3), Max: new(8)},
			"gamespy2 192.0.2.2:29900":  {Name: "Reef", Port: 16567, Players: new(0)},
			"gameagent 192.0.2.3:25601": {Name: "Karnak", Port: 25600, Players: new(0), Max: new(4)},
		}
		if diff := cmp.Diff(want, got); diff != "" || silent != 3 {
			t.Errorf("%d silent (-want +got):\n%s", silent, diff)
		}
	})
}

// When the context is done, each scan says so.
func TestScansEndWithTheirContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		for _, s := range n.scans() {
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			start := time.Now()
			var end lobbywire.ScanResult
			for r := range s.scanner.ScanViews(ctx, slices.Values([]netip.AddrPort{nowhere})) {
				end = r
			}
			took := time.Since(start)
			if end.Query.IsValid() || !errors.Is(end.Err, context.DeadlineExceeded) || took != 500*time.Millisecond {
				t.Errorf("%s: ended after %v with %+v", end.Protocol, took, end)
			}
			cancel()
		}
	})
}

// A scan without targets has one result, an error.
func TestScansNeedTargets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, s := range newMixedNet(t).scans() {
			results := 0
			for r := range s.scanner.ScanViews(t.Context(), nil) {
				results++
				if r.Err == nil || r.Query.IsValid() {
					t.Errorf("%+v", r)
				}
			}
			if results != 1 {
				t.Errorf("%T: %d results", s.scanner, results)
			}
		}
	})
}

// Blocked targets of one scan hold up neither the servers of the others nor the end.
func TestBlockedTargetsDelayNoOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		release := make(chan struct{})
		blocked := func(yield func(netip.AddrPort) bool) {
			if yield(atSQP) {
				<-release
				yield(nowhere)
			}
		}
		sources := []lobbywire.Source{
			{Scanner: &n.sqp, Targets: blocked},
			{Scanner: &n.gamespy2, Targets: slices.Values([]netip.AddrPort{atGameSpy})},
		}
		start := time.Now()
		answered := 0
		for r := range browsed(t.Context(), sources...) {
			if r.Err != nil {
				t.Errorf("before the break: %+v", r)
			}
			answered++
			if answered == 2 {
				break
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		for r := range browsed(ctx, sources...) {
			answered++
			if r.Err != nil && !errors.Is(r.Err, context.DeadlineExceeded) {
				t.Errorf("before the deadline: %+v", r)
			}
		}
		if took := time.Since(start); took != 300*time.Millisecond || answered != 5 {
			t.Errorf("%d results after %v", answered, took)
		}
		close(release)
	})
}
