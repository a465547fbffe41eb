package stream

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

func TestLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := Limiter{PerAddress: Rate{2, 4}, PerPrefix: Rate{4, 8}, Global: Rate{8, 16}}
		allowed := func(from string) (n int) {
			for a := netip.MustParseAddr(from); l.Allow(a); n++ {
			}
			return n
		}
		want := func(from string, n int) {
			t.Helper()
			if got := allowed(from); got != n {
				t.Errorf("%s: %d, want %d", from, got, n)
			}
		}
		want("192.0.2.1", 4)
		want("192.0.2.1", 0)
		want("192.0.2.2", 4)
		want("192.0.2.3", 0) // the prefix
		want("2001:db8::1", 4)
		want("2001:db8::2", 0) // the same /64
		want("2001:db8:0:1::1", 4)
		want("203.0.113.1", 0) // in total
		time.Sleep(time.Second)
		want("192.0.2.1", 2)
		want("192.0.2.3", 2)
		want("192.0.2.4", 0)
		want("203.0.113.1", 4)
		time.Sleep(time.Hour)
		want("192.0.2.1", 4)
		if n := len(l.buckets); n != 3 {
			t.Errorf("%d buckets, want those of an address, its prefix and all", n)
		}
	})
}

// Memory is bounded by what all peers together may cause, and counting allocates
// nothing for a source that is known.
func TestLimiterMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := Limiter{PerAddress: Rate{1, 2}, PerPrefix: Rate{10, 20}, Global: Rate{100, 100}}
		most := 0
		for i := range 100_000 {
			l.Allow(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}))
			most = max(most, len(l.buckets))
			if i%1000 == 999 {
				time.Sleep(time.Second)
			}
		}
		if most > 3*(100+100*12) {
			t.Errorf("%d buckets", most)
		}
	})
	l := Limiter{PerAddress: Rate{1, 2}, PerPrefix: Rate{10, 20}, Global: Rate{100, 100}}
	a := netip.MustParseAddr("192.0.2.1")
	l.Allow(a)
	if n := testing.AllocsPerRun(100, func() { l.Allow(a) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
