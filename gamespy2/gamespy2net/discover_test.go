package gamespy2net_test

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

var broadcast = netip.MustParseAddrPort("255.255.255.255:29900")

// lan is a world with three servers and a fourth on another port.
func lan(t *testing.T) (w *world, servers []netip.AddrPort) {
	t.Helper()
	w = newWorld()
	for _, addr := range []string{"192.0.2.1:29900", "192.0.2.2:29900", "192.0.2.3:29900", "192.0.2.4:29901"} {
		addr := netip.MustParseAddrPort(addr)
		w.serve(t, addr, newServer(t, gamespy2net.ChallengeRequired, 0), nil)
		if addr.Port() == broadcast.Port() {
			servers = append(servers, addr)
		}
	}
	w.Route = func(p nettest.Packet) []nettest.Packet {
		if p.To != broadcast {
			return []nettest.Packet{p, p}
		}
		var all []nettest.Packet
		for _, addr := range servers {
			p.To = addr
			all = append(all, p)
		}
		return all
	}
	return w, servers
}

func TestDiscoverFindsServersOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, want := lan(t)
		start := time.Now()
		var got []netip.AddrPort
		for addr, err := range w.client.Discover(t.Context(), broadcast) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, addr)
		}
		slices.SortFunc(got, netip.AddrPort.Compare)
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if took := time.Since(start); took != time.Second {
			t.Errorf("took %v", took)
		}
	})
}

func TestDiscoverEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		n := 0
		for addr, err := range w.client.Discover(ctx, broadcast) {
			n++
			if addr.IsValid() || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v, %v", addr, err)
			}
		}
		if n != 1 {
			t.Errorf("%d results", n)
		}
	})
}

func TestDiscoverStopsWhenNoMoreIsWanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := lan(t)
		start := time.Now()
		for range w.client.Discover(t.Context(), broadcast) {
			break
		}
		if time.Since(start) != 0 {
			t.Error("waited for the timeout")
		}
	})
}
