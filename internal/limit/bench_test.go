package limit

import (
	"net/netip"
	"testing"
	"time"
)

func BenchmarkAllow(b *testing.B) {
	l := &Limiter{Rates: Rates{PerSource: Rate{1e9, 1e9}, PerPrefix: Rate{1e9, 1e9}, Global: Rate{1e9, 1e9}}}
	from, now := netip.MustParseAddr("192.0.2.1"), time.Unix(1e9, 0)
	b.ReportAllocs()
	for b.Loop() {
		now = now.Add(10)
		if !l.Allow(from, now) {
			b.Fatal("refused")
		}
	}
}
