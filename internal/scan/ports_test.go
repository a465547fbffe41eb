package scan

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A scan of many targets uses many ports, so that a target learns the source port of the
// queries to only a few others. No target is queried twice from the same port.
func TestScanSpreadsOverPorts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		const n = 1600
		var mu sync.Mutex
		ports := map[netip.AddrPort]int{}
		asked := map[[2]netip.AddrPort]bool{}
		l.Route = func(p nettest.Packet) []nettest.Packet {
			mu.Lock()
			defer mu.Unlock()
			ports[p.From]++
			pair := [2]netip.AddrPort{p.From, p.To}
			if asked[pair] {
				t.Errorf("%v is queried twice from %v", p.To, p.From)
			}
			asked[pair] = true
			return nil
		}
		for r := range l.Scan(t.Context(), func(yield func(netip.AddrPort) bool) {
			for i := range n {
				if !yield(target(i)) {
					return
				}
			}
		}) {
			if !errors.Is(r.Err, lobbywire.ErrTimeout) || r.Attempts != 2 {
				t.Errorf("got %+v", r)
			}
		}
		if len(ports) < minPorts {
			t.Errorf("%d ports", len(ports))
		}
		for port, requests := range ports {
			if requests > 2*n/5 {
				t.Errorf("%d of %d requests are from %v", requests, 2*n, port)
			}
		}
	})
}

// echoes serves the echo protocol on n sockets of the system.
func echoes(t *testing.T, n int) (targets []netip.AddrPort) {
	t.Helper()
	for range n {
		pc, err := net.ListenPacket("udp4", "127.0.0.1:0")
		if err != nil {
			t.Skip(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			buf := make([]byte, 16)
			for {
				n, from, err := pc.ReadFrom(buf)
				if err != nil {
					return
				}
				pc.WriteTo(buf[:n], from)
				if buf[0] == 1 {
					pc.WriteTo(buf[:n], from)
				}
			}
		}()
		t.Cleanup(func() {
			pc.Close()
			<-done
		})
		targets = append(targets, pc.LocalAddr().(*net.UDPAddr).AddrPort())
	}
	return targets
}

// systemScanner scans loopback addresses from sockets of the system.
func systemScanner() *Scanner {
	s := newLab().Scanner
	s.Listen = func(ctx context.Context) (net.PacketConn, error) {
		return new(net.ListenConfig).ListenPacket(ctx, "udp4", "127.0.0.1:0")
	}
	s.Timeout = 10 * time.Second
	return &s
}

func TestScanGetsAnswersOverSockets(t *testing.T) {
	targets := echoes(t, 100)
	answered := 0
	for r := range systemScanner().Scan(t.Context(), slices.Values(targets)) {
		if r.Err != nil || r.Attempts != 1 {
			t.Errorf("got %+v", r)
		}
		answered++
	}
	if answered != len(targets) {
		t.Errorf("%d of %d answered", answered, len(targets))
	}
}

func TestScanOverSocketsEndsWithItsContext(t *testing.T) {
	silent, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer silent.Close()
	targets := append(echoes(t, 64), silent.LocalAddr().(*net.UDPAddr).AddrPort())
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	s := systemScanner()
	s.Timeout = time.Minute
	start := time.Now()
	var last Result
	for r := range s.Scan(ctx, slices.Values(targets)) {
		last = r
	}
	if !errors.Is(last.Err, context.DeadlineExceeded) || last.Target.IsValid() || time.Since(start) > 30*time.Second {
		t.Errorf("%+v after %v", last, time.Since(start))
	}
}

// A small scan uses as many ports as it has targets, up to 16.
func TestSmallScansUseManyPorts(t *testing.T) {
	for _, tt := range []struct{ targets, ports, share int }{{1, 1, 1}, {8, 8, 1}, {16, 16, 1}, {64, 16, 7}} {
		synctest.Test(t, func(t *testing.T) {
			l := newLab()
			l.Attempts = 1
			var mu sync.Mutex
			targets := map[netip.AddrPort]int{}
			l.Route = func(p nettest.Packet) []nettest.Packet {
				mu.Lock()
				defer mu.Unlock()
				targets[p.From]++
				return nil
			}
			for range l.Scan(t.Context(), slices.Values(someTargets(tt.targets))) {
			}
			most := 0
			for _, n := range targets {
				most = max(most, n)
			}
			if len(targets) != tt.ports || most > tt.share {
				t.Errorf("%d targets use %d ports, one of them is used for %d", tt.targets, len(targets), most)
			}
		})
	}
}
