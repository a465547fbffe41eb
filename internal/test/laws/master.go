package laws

import (
	"encoding/binary"
	"net/netip"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A Master is a master over UDP, to be tested by Test.
type Master[M Responder] struct {
	New   func() M               // without limits of rates
	Nodes func() (node func() M) // nodes with a common Store, such as a Hub

	// Requests are datagrams that anybody may send in the course of a registration. Enlist
	// registers a server until it is listed. A listed server sends Refresh, which has no
	// answer.
	Requests [][]byte
	Enlist   func(t testing.TB, m M, server netip.AddrPort)
	Refresh  []byte

	Listed func(t testing.TB, m M) []netip.AddrPort // the servers, as they were enlisted
	Limit  func(m M, servers int)                   // sets the limits of listed servers
	Expiry time.Duration                            // of a server after the last Refresh

	Memory int // that a flood of registrations may take after the first 50 000
}

// Test runs the laws.
func (l Master[M]) Test(t *testing.T) {
	t.Run("expiry", l.expires)
	t.Run("limits", l.limitsServers)
	t.Run("flood", l.survivesAFlood)
	t.Run("hours", l.forgets)
	t.Run("goroutines", l.servesGoroutines)
	t.Run("store", l.sharesTheList)
}

// server returns the address of one of many servers, in many prefixes.
func server(i int) netip.AddrPort {
	var a [4]byte
	binary.BigEndian.PutUint32(a[:], 0x0a000000+uint32(i)<<8)
	return netip.AddrPortFrom(netip.AddrFrom4(a), 6500)
}

// wantListed checks the servers that m lists.
func (l Master[M]) wantListed(t testing.TB, when string, m M, want ...netip.AddrPort) {
	t.Helper()
	got := slices.Clone(l.Listed(t, m))
	slices.SortFunc(got, netip.AddrPort.Compare)
	slices.SortFunc(want, netip.AddrPort.Compare)
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v are listed, want %v", when, got, want)
	}
}

func (l Master[M]) refresh(t testing.TB, m M, from netip.AddrPort) {
	t.Helper()
	if got, _ := m.Respond(from, l.Refresh, nil); len(got) > 0 {
		t.Errorf("%q of %v is answered with %q", l.Refresh, from, got)
	}
}

// A server is listed as long as it sends Refresh.
func (l Master[M]) expires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := l.New()
		l.Enlist(t, m, server(1))
		l.Enlist(t, m, server(2))
		for range 3 {
			time.Sleep(l.Expiry)
			l.refresh(t, m, server(1))
		}
		l.wantListed(t, "after three times", m, server(1))
		time.Sleep(l.Expiry)
		l.wantListed(t, "at its end", m, server(1))
		time.Sleep(time.Nanosecond)
		l.wantListed(t, "after its end", m)
		if got, _ := m.Respond(server(1), l.Refresh, nil); len(got) == 0 {
			t.Error("an expired server need not register again")
		}
		l.Enlist(t, m, server(1))
		l.wantListed(t, "again", m, server(1))
	})
}

// Limits may change while a master serves. Servers beyond them stay listed.
func (l Master[M]) limitsServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := l.New()
		l.Limit(m, 2)
		for i := range 2 {
			l.Enlist(t, m, server(i))
		}
		l.wantListed(t, "within the limit", m, server(0), server(1))
		l.Limit(m, 1)
		l.wantListed(t, "with a lower one", m, server(0), server(1))
		l.Limit(m, 3)
		l.Enlist(t, m, server(2))
		l.wantListed(t, "with a higher one", m, server(0), server(1), server(2))
	})
}

// Requests of any number of sources take a fixed amount of memory, list nothing, and
// neither hide listed servers nor keep others from registering.
func (l Master[M]) survivesAFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := l.New()
		l.Enlist(t, m, server(1<<20))
		var dst [][]byte
		flood := func(n int) {
			for i := range n {
				from := netip.AddrPortFrom(server(i>>8).Addr(), uint16(1024+i&0xff))
				dst, _ = m.Respond(from, l.Requests[i%len(l.Requests)], dst[:0])
			}
		}
		flood(50_000) // fills the tables
		before := suite.Heap()
		flood(suite.Pick(25_000, 250_000))
		if grown := suite.Heap() - before; grown > l.Memory {
			t.Errorf("more sources take %d bytes", grown)
		}
		l.wantListed(t, "after the flood", m, server(1<<20))
		l.refresh(t, m, server(1<<20))
		l.Enlist(t, m, server(1<<21))
		l.wantListed(t, "after another registration", m, server(1<<20), server(1<<21))
		runtime.KeepAlive(m)
	})
}

// Servers that come and go for hours, and servers that never finish their registration,
// leave nothing behind.
func (l Master[M]) forgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := l.New()
		var dst [][]byte
		servers, sources := 0, 0
		hour := func() int {
			for range 60 {
				for range suite.Pick(2, 20) {
					l.Enlist(t, m, server(servers))
					servers++
				}
				for range suite.Pick(500, 5000) {
					from := netip.AddrPortFrom(server(sources>>8).Addr(), uint16(1024+sources&0xff))
					dst, _ = m.Respond(from, l.Requests[sources%len(l.Requests)], dst[:0])
					sources++
				}
				time.Sleep(time.Minute)
			}
			return suite.Heap()
		}
		hour() // fills the tables
		l.Listed(t, m)
		first, last := hour(), 0
		for range suite.Pick(1, 2) {
			last = hour()
		}
		time.Sleep(time.Hour)
		l.wantListed(t, "an hour later", m)
		after := suite.Heap()
		t.Logf("%d KiB after two hours, %d in the end with %d servers, %d after an hour without any",
			first>>10, last>>10, servers, after>>10)
		if last-first > l.Memory || after-first > l.Memory {
			t.Errorf("it has grown by %d bytes, and by %d in the end", last-first, after-first)
		}
		runtime.KeepAlive(m)
	})
}

// A master may be used by several goroutines.
func (l Master[M]) servesGoroutines(t *testing.T) {
	const workers, each = 4, 100
	m := l.New()
	var wait sync.WaitGroup
	for worker := range workers {
		wait.Go(func() {
			for i := range each {
				s := server(worker<<12 + i)
				l.Enlist(t, m, s)
				l.refresh(t, m, s)
				if i%20 == 0 && len(l.Listed(t, m)) == 0 {
					t.Error("no server is listed")
				}
			}
		})
	}
	wait.Wait()
	if got := len(l.Listed(t, m)); got != workers*each {
		t.Errorf("%d servers are listed, want %d", got, workers*each)
	}
}

// Nodes list the servers of each other, also a node that starts later. A node that has
// ended receives no more.
func (l Master[M]) sharesTheList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		node := l.Nodes()
		a, b := node(), node()
		l.Enlist(t, a, server(1))
		l.Enlist(t, b, server(2))
		time.Sleep(l.Expiry / 2)
		late := node()
		for name, m := range map[string]M{"first": a, "second": b, "late": late} {
			l.wantListed(t, name, m, server(1), server(2))
		}
		l.refresh(t, b, server(1)) // counts at all nodes
		time.Sleep(l.Expiry/2 + 1)
		for name, m := range map[string]M{"first": a, "second": b, "late": late} {
			l.wantListed(t, name+", after the expiry of one", m, server(1))
		}
		if err := b.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		l.Enlist(t, a, server(3))
		l.wantListed(t, "ended", b, server(1))
		l.wantListed(t, "running", late, server(1), server(3))
	})
}
