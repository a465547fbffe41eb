package gameagentnet_test

import (
	"context"
	"errors"
	"iter"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// lister runs a master at masterHost with some servers, and counts requests.
func (w *world) lister(t *testing.T, servers []netip.AddrPort) *int {
	t.Helper()
	packets, err := gameagent.ServerList{Servers: servers}.Packets()
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	w.Serve(t, masterHost, func(_ netip.AddrPort, req []byte) [][]byte {
		if string(req) != "e" {
			return nil
		}
		asked++
		return packets
	})
	return &asked
}

func TestListGetsTheServersOfTheMaster(t *testing.T) {
	for _, n := range []int{0, 1, 170, 171, 2000} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.lister(t, addresses(n))
			w.Route = func(p nettest.Packet) []nettest.Packet {
				p.Delay = 20 * time.Millisecond
				return []nettest.Packet{p, p}
			}
			start := time.Now()
			l, err := w.client.List(t.Context(), masterHost.String())
			if err != nil || len(l.Queries) != n || l.Partial || l.RTT != 40*time.Millisecond {
				t.Errorf("%d: %d servers, partial %v, %v, %v", n, len(l.Queries), l.Partial, l.RTT, err)
			}
			if took := time.Since(start); took != 290*time.Millisecond {
				t.Errorf("%d: took %v", n, took)
			}
		})
	}
}

// A list that is incomplete at the timeout is marked as partial.
func TestSlowListIsPartial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.lister(t, addresses(2000))
		var mu sync.Mutex
		late := time.Duration(0)
		w.Route = func(p nettest.Packet) []nettest.Packet {
			mu.Lock()
			defer mu.Unlock()
			if p.From == masterHost {
				late += 150 * time.Millisecond
				p.Delay = late
			}
			return []nettest.Packet{p}
		}
		start := time.Now()
		l, err := w.client.List(t.Context(), masterHost.String())
		if err != nil || !l.Partial || len(l.Queries) != 6*170 || l.MasterIP != masterHost.Addr() ||
			time.Since(start) != time.Second {
			t.Errorf("%d servers, partial %v, %v after %v", len(l.Queries), l.Partial, err, time.Since(start))
		}
	})
}

func TestListHasABound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		var packets [][]byte
		for i := range 400 {
			b := []byte{'s'}
			for j := range 170 {
				b = append(b, 10, byte(i>>8), byte(i), byte(j), 0, 0x64)
			}
			packets = append(packets, b)
		}
		w.Serve(t, masterHost, func(netip.AddrPort, []byte) [][]byte { return packets })
		l, err := w.client.List(t.Context(), masterHost.String())
		if err != nil || !l.Partial || len(l.Queries) > gameagent.MaxServers ||
			len(l.Queries) < gameagent.MaxServers-170 {
			t.Errorf("%d servers, partial %v, %v", len(l.Queries), l.Partial, err)
		}
	})
}

// A master gets at most one request every ListEvery, whatever the number of callers.
func TestListSparesTheMaster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		asked := w.lister(t, addresses(3))
		list := func() {
			l, err := w.client.List(t.Context(), masterHost.String())
			if err != nil || len(l.Queries) != 3 {
				t.Errorf("%+v, %v", l, err)
			}
			clear(l.Queries)
		}
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(list)
		}
		wg.Wait()
		list()
		if *asked != 1 {
			t.Errorf("asked %d times", *asked)
		}
		time.Sleep(2 * time.Second)
		list()
		if *asked != 2 {
			t.Errorf("asked %d times, 2 s later", *asked)
		}
	})
}

// A failure is not repeated at once either. A caller that gives up is not a failure
// of the master, but the next caller waits for the interval to pass.
func TestListSparesASilentMaster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		start := time.Now()
		short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := w.client.List(short, masterHost.String()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("impatient: %v", err)
		}
		for range 10 {
			if _, err := w.client.List(t.Context(), masterHost.String()); !errors.Is(err, lobbywire.ErrTimeout) {
				t.Errorf("%v", err)
			}
		}
		if took := time.Since(start); took != 6*time.Second {
			t.Errorf("took %v", took)
		}
		time.Sleep(2500 * time.Millisecond)
		for range 10 {
			w.client.List(t.Context(), masterHost.String())
		}
		if took := time.Since(start); took != 12500*time.Millisecond {
			t.Errorf("took %v with another fetch", took)
		}
	})
}

func TestListRefusesWhatIsNoList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.Serve(t, masterHost, func(netip.AddrPort, []byte) [][]byte { return [][]byte{[]byte("no list")} })
		_, err := w.client.List(t.Context(), masterHost.String())
		if !errors.Is(err, lobbywire.ErrUnreadable) || !errors.Is(err, lobbywire.ErrInvalid) {
			t.Errorf("got %v", err)
		}
	})
}

// The servers on a list are scanned at their query ports.
func TestListIsScanned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		games := addresses(20)
		w.lister(t, games)
		for i, game := range games {
			if i > 0 {
				w.Serve(t, netip.AddrPortFrom(game.Addr(), game.Port()+1), unlimited(t, duel()))
			}
		}
		l, err := w.client.List(t.Context(), masterHost.String())
		if err != nil {
			t.Fatal(err)
		}
		targets, left := l.Targets(t.Context())
		if left.Total() > 0 {
			t.Errorf("left out: %+v", left)
		}
		for name, queries := range map[string]iter.Seq[netip.AddrPort]{"all": slices.Values(l.Queries), "targets": targets} {
			got := map[netip.AddrPort]error{}
			for target, r := range w.client.Scan(t.Context(), queries) {
				got[gameagent.GameAddr(target)] = r.Err
			}
			for i, game := range games {
				err, ok := got[game]
				if !ok || (i == 0) != (err != nil) {
					t.Errorf("%s, %v: result %v, %v", name, game, ok, err)
				}
			}
			if len(got) != len(games) {
				t.Errorf("%s: %d results", name, len(got))
			}
		}
	})
}

// A server without a query port is not listed, but counted. Targets leaves out other odd
// addresses.
func TestListCountsOddAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.Serve(t, masterHost, func(netip.AddrPort, []byte) [][]byte {
			return [][]byte{[]byte("s\x0a\x00\x00\x01\xff\xff\x0a\x00\x00\x01\x00\x64\xcb\x00\x71\x01\x00\x00")}
		})
		l, err := w.client.List(t.Context(), masterHost.String())
		want := []netip.AddrPort{netip.MustParseAddrPort("10.0.0.1:25601"), netip.MustParseAddrPort("203.0.113.1:1")}
		if err != nil || !slices.Equal(l.Queries, want) || l.Skipped != 1 {
			t.Errorf("%+v, %v", l, err)
		}
		if views := l.Views(); len(views) != 2 || views[0].Port != 25600 || views[1].Port != 0 {
			t.Errorf("%+v", views)
		}
		_, left := l.Targets(t.Context())
		if want := (lobbywire.LeftOut{Private: 1, Service: 1, Unreadable: 1}); left != want {
			t.Errorf("left out %+v, want %+v", left, want)
		}
		r := w.client.ListViews(t.Context(), masterHost.String())
		if r.Err != nil || r.Skipped != 1 || len(r.Servers) != 2 || r.Servers[0].Query != want[0] ||
			r.Servers[0].Entry != gameagent.GameAddr(want[0]) {
			t.Errorf("%+v", r)
		}
	})
}
