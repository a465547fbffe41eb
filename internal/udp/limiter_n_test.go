package udp

import (
	"net/netip"
	"testing"
	"time"
)

// What counts as several events takes as many tokens, and at most a full bucket.
func TestLimiterAllowN(t *testing.T) {
	l := &Limiter{PerSource: Rate{PerSecond: 10, Burst: 10}, Global: Rate{PerSecond: 1000, Burst: 1000}}
	from := netip.MustParseAddr("192.0.2.1")
	now := time.Unix(1e9, 0)
	for _, tt := range []struct {
		after time.Duration
		n     int
		want  bool
	}{
		{0, 6, true},
		{0, 5, false},
		{0, 4, true},
		{0, 1, false},
		{500 * time.Millisecond, 5, true},
		{900 * time.Millisecond, 100, false},
		{100 * time.Millisecond, 100, true},
		{999 * time.Millisecond, 100, false},
	} {
		now = now.Add(tt.after)
		if got := l.AllowN(from, tt.n, now); got != tt.want {
			t.Errorf("%v later, %d: %v, want %v", tt.after, tt.n, got, tt.want)
		}
	}
}

// A rate beyond the clock's resolution limits nothing, even if the times of two
// goroutines are not in order.
func TestLimiterOfEndlessRate(t *testing.T) {
	l := &Limiter{PerSource: Rate{1 << 30, 1 << 30}, Global: Rate{1 << 30, 1 << 30}}
	now := time.Unix(1e9, 0)
	for i := range 10 {
		if !l.Allow(netip.MustParseAddr("192.0.2.1"), now.Add(-time.Duration(i)*time.Millisecond)) {
			t.Fatal("refused")
		}
	}
}
