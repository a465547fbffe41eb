package lobbywire_test

import (
	"context"
	"errors"
	"fmt"
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
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// sqpServer, gamespyServer and gameagentServer return servers to scan.
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

func gameagentServer() *gameagentnet.Server {
	var s gameagentnet.Server
	if err := s.Set(gameagentnet.State{SessionName: "Karnak", MaxPlayers: 4}); err != nil {
		panic(err)
	}
	return &s
}

// A mixedNet is a network with a server of each protocol, and their clients.
type mixedNet struct {
	nettest.Network
	sqp               sqpnet.Client
	gamespy2          gamespy2net.Client
	gameagent, legacy gameagentnet.Client

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
	n.sqp.Listen, n.gamespy2.Listen, n.gameagent.Listen, n.legacy.Listen = listen, listen, listen, listen
	n.gameagent.Dial = n.Network.Dial
	n.legacy.Legacy = true
	n.servers = map[netip.AddrPort]server{atSQP: sqpServer(), atGameSpy: gamespyServer(),
		atGameAgent: gameagentServer()}
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

// scans returns scans of all servers and of nowhere.
func (n *mixedNet) scans() []lobbywire.Scan {
	return []lobbywire.Scan{
		{Scanner: &n.sqp, Targets: slices.Values([]netip.AddrPort{atSQP, nowhere})},
		{Scanner: &n.gamespy2, Targets: slices.Values([]netip.AddrPort{nowhere, atGameSpy})},
		{Scanner: &n.gameagent, Targets: slices.Values([]netip.AddrPort{atGameAgent})},
		{Scanner: &n.legacy, Targets: slices.Values([]netip.AddrPort{nowhere})},
	}
}

// Servers of several protocols answer in one loop, silent ones with an error.
func TestScanAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		got := map[string]lobbywire.View{}
		silent := 0
		for r := range lobbywire.ScanAll(t.Context(), n.scans()...) {
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

// A caller that leaves the loop does not wait for silent servers.
func TestScanAllBreak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		start := time.Now()
		for r := range lobbywire.ScanAll(t.Context(), n.scans()...) {
			if r.Err != nil {
				t.Errorf("%s: %v", r.Protocol, r.Err)
			}
			break
		}
		if d := time.Since(start); d >= time.Second {
			t.Errorf("ended after %v", d)
		}
	})
}

// When the context is done, each scan says so.
func TestScanAllCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		ended := map[string]int{}
		for r := range lobbywire.ScanAll(ctx, n.scans()...) {
			if !r.Query.IsValid() && errors.Is(r.Err, context.DeadlineExceeded) {
				ended[r.Protocol]++
			}
		}
		if diff := cmp.Diff(map[string]int{"sqp": 1, "gamespy2": 1, "gameagent": 1}, ended); diff != "" {
			t.Errorf("scans that ended early (-want +got):\n%s", diff)
		}
	})
}

// A scan without a Scanner or Targets has an error, and the others go on.
func TestScanAllOfNil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		var wrong []string
		answered := 0
		for r := range lobbywire.ScanAll(t.Context(),
			lobbywire.Scan{Scanner: &n.sqp},
			lobbywire.Scan{Targets: slices.Values([]netip.AddrPort{atSQP})},
			lobbywire.Scan{},
			lobbywire.Scan{Scanner: &n.sqp, Targets: slices.Values([]netip.AddrPort{atSQP})},
		) {
			if r.Err == nil {
				answered++
				continue
			}
			wrong = append(wrong, r.Err.Error())
		}
		slices.Sort(wrong)
		want := []string{
			"lobbywire: scans[0]: the Targets are nil",
			"lobbywire: scans[1]: the Scanner is nil",
			"lobbywire: scans[2]: the Scanner is nil",
		}
		if diff := cmp.Diff(want, wrong); diff != "" || answered != 1 {
			t.Errorf("%d answered (-want +got):\n%s", answered, diff)
		}
		for _, scanner := range []lobbywire.Scanner{&n.sqp, &n.gamespy2, &n.gameagent, &n.legacy} {
			results := 0
			for r := range scanner.ScanViews(t.Context(), nil) {
				results++
				if r.Err == nil || r.Query.IsValid() {
					t.Errorf("%+v", r)
				}
			}
			if results != 1 {
				t.Errorf("%T: %d results", scanner, results)
			}
		}
	})
}

// Blocked targets of one scan hold up neither the results of the others nor the end.
func TestScanAllWithBlockedTargets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		release := make(chan struct{})
		blocked := func(yield func(netip.AddrPort) bool) {
			if yield(atSQP) {
				<-release
				yield(nowhere)
			}
		}
		scans := []lobbywire.Scan{
			{Scanner: &n.sqp, Targets: blocked},
			{Scanner: &n.gamespy2, Targets: slices.Values([]netip.AddrPort{atGameSpy})},
		}
		start := time.Now()
		answered := 0
		for r := range lobbywire.ScanAll(t.Context(), scans...) {
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
		for r := range lobbywire.ScanAll(ctx, scans...) {
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

func TestScanAllOfNothing(t *testing.T) {
	for r := range lobbywire.ScanAll(t.Context()) {
		t.Errorf("result %+v", r)
	}
}

// A launcher scans servers of three protocols in one loop.
func ExampleScanAll() {
	serve := func(s interface{ Serve(net.PacketConn) error }) iter.Seq[netip.AddrPort] {
		socket, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			fmt.Println(err)
			return slices.Values([]netip.AddrPort{})
		}
		go s.Serve(socket)
		return slices.Values([]netip.AddrPort{socket.LocalAddr().(*net.UDPAddr).AddrPort()})
	}
	duel, reef, karnak := sqpServer(), gamespyServer(), gameagentServer()
	defer duel.Close()
	defer reef.Close()
	defer karnak.Close()

	for r := range lobbywire.ScanAll(context.Background(),
		lobbywire.Scan{Scanner: new(sqpnet.Client), Targets: serve(duel)},
		lobbywire.Scan{Scanner: new(gamespy2net.Client), Targets: serve(reef)},
		lobbywire.Scan{Scanner: new(gameagentnet.Client), Targets: serve(karnak)},
	) {
		if r.Err != nil {
			fmt.Println(r.Query, r.Err)
			continue
		}
		most := "?"
		if r.View.Max != nil {
			most = fmt.Sprint(*r.View.Max)
		}
		fmt.Println(r.Protocol, r.View.Name, *r.View.Players, "of", most)
	}
	// Unordered output:
	// sqp Duel 3 of 8
	// gamespy2 Reef 0 of ?
	// gameagent Karnak 0 of 4
}
