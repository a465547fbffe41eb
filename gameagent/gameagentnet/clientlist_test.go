package gameagentnet_test

import (
	"context"
	"errors"
	"net/netip"
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

func TestList(t *testing.T) {
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
			if err != nil || len(l.Servers) != n || l.Partial || l.Attempts != 1 || l.RTT != 40*time.Millisecond {
				t.Errorf("%d: %d servers, partial %v, %d attempts, %v, %v", n, len(l.Servers), l.Partial, l.Attempts,
					l.RTT, err)
			}
			if took := time.Since(start); took != 290*time.Millisecond {
				t.Errorf("%d: took %v", n, took)
			}
		})
	}
}

// A list that is incomplete at the timeout is marked as partial.
func TestListThatComesSlowly(t *testing.T) {
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
		if err != nil || !l.Partial || len(l.Servers) != 6*170 || l.MasterIP != masterHost.Addr() ||
			time.Since(start) != time.Second {
			t.Errorf("%d servers, partial %v, %v after %v", len(l.Servers), l.Partial, err, time.Since(start))
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
		if err != nil || !l.Partial || len(l.Servers) > gameagent.MaxServers ||
			len(l.Servers) < gameagent.MaxServers-170 {
			t.Errorf("%d servers, partial %v, %v", len(l.Servers), l.Partial, err)
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
			if err != nil || len(l.Servers) != 3 {
				t.Errorf("%+v, %v", l, err)
			}
			clear(l.Servers)
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

// browse scans the servers on the list of masterHost, and returns their errors.
func (w *world) browse(t *testing.T) (got map[netip.AddrPort]error, left lobbywire.LeftOut) {
	t.Helper()
	l, err := w.client.List(t.Context(), masterHost.String())
	if err != nil {
		t.Fatal(err)
	}
	targets, left := l.Targets(t.Context())
	got = map[netip.AddrPort]error{}
	for target, r := range w.client.Scan(t.Context(), targets) {
		got[gameagent.GameAddr(target)] = r.Err
	}
	return got, left
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
		got, left := w.browse(t)
		for i, game := range games {
			err, ok := got[game]
			if !ok || (i == 0) != (err != nil) {
				t.Errorf("%v: result %v, %v", game, ok, err)
			}
		}
		if len(got) != len(games) || left.Total() > 0 {
			t.Errorf("%d results, left out: %+v", len(got), left)
		}
	})
}

// Ports without a possible query port are no targets, and other servers are left out.
func TestListWithOddAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.Serve(t, masterHost, func(netip.AddrPort, []byte) [][]byte {
			return [][]byte{[]byte("s\x0a\x00\x00\x01\xff\xff\x0a\x00\x00\x01\x00\x64\xcb\x00\x71\x01\x00\x00")}
		})
		got, left := w.browse(t)
		if len(got) != 0 || left != (lobbywire.LeftOut{Private: 1, Service: 1}) {
			t.Errorf("got %v, left out %+v", got, left)
		}
	})
}
