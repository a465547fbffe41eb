package limit

import (
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
)

// AllowN takes n tokens, and at most a full bucket.
func TestAllowNTakesAtMostAFullBucket(t *testing.T) {
	l := &Limiter{Rates: Rates{PerSource: Rate{PerSecond: 10, Burst: 10}, Global: Rate{PerSecond: 1000, Burst: 1000}}}
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

// A rate above the resolution of the clock does not limit, even if times are not in
// order.
func TestRateAboveTheClockDoesNotLimit(t *testing.T) {
	l := &Limiter{Rates: Rates{PerSource: Rate{1 << 30, 1 << 30}, Global: Rate{1 << 30, 1 << 30}}}
	now := time.Unix(1e9, 0)
	for i := range 10 {
		if !l.Allow(netip.MustParseAddr("192.0.2.1"), now.Add(-time.Duration(i)*time.Millisecond)) {
			t.Fatal("refused")
		}
	}
}

// Each source has its limit. Zero limits are the defaults, and prefixes are
// limited only if they have a rate.
func TestSourcesAndPrefixesAreLimited(t *testing.T) {
	defaults := lobbywire.Rates{PerSource: 3, Global: 100}
	for _, tt := range []struct {
		name   string
		limits lobbywire.Rates
		from   []string
		want   string // by datagram, y or n
	}{
		{"defaults", lobbywire.Rates{},
			[]string{"192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"}, "yyyny"},
		{"of loopback", lobbywire.Rates{PerSource: 1}, []string{"::1", "::1", "127.0.0.1", "127.0.0.1"}, "ynyn"},
		{"of the zero address", lobbywire.Rates{PerSource: 1}, []string{"0.0.0.0", "0.0.0.0", "::"}, "ynn"},
		{"of the prefix of the zero address", lobbywire.Rates{PerSource: 1, PerPrefix: 2},
			[]string{"0.0.0.1", "0.0.0.2", "0.0.0.3", "0.0.1.3"}, "yyny"},
		{"of a source", lobbywire.Rates{PerSource: 1},
			[]string{"192.0.2.1", "192.0.2.1", "192.0.2.2", "::ffff:192.0.2.2"}, "ynyn"},
		{"of an IPv6 /64", lobbywire.Rates{PerSource: 1},
			[]string{"2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"}, "yny"},
		{"of a /24", lobbywire.Rates{PerPrefix: 2},
			[]string{"192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.3.1"}, "yyny"},
		{"of an IPv6 /48", lobbywire.Rates{PerPrefix: 1},
			[]string{"2001:db8::1", "2001:db8:0:1::1", "2001:db8:1::1"}, "yny"},
		{"in total", lobbywire.Rates{Global: 2}, []string{"192.0.2.1", "198.51.100.1", "203.0.113.1"}, "yyn"},
		{"none", lobbywire.Rates{PerSource: -1}, []string{"192.0.2.1"}, "n"},
		{"none of a prefix", lobbywire.Rates{PerPrefix: -1}, []string{"192.0.2.1"}, "n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var l Limiter
			l.Set(RatesOf(tt.limits, defaults))
			got := ""
			for _, from := range tt.from {
				if l.Allow(netip.MustParseAddr(from), time.Unix(1e9, 0)) {
					got += "y"
				} else {
					got += "n"
				}
			}
			if got != tt.want {
				t.Errorf("allowed: %s, want %s", got, tt.want)
			}
		})
	}
}

// Charge can take more than a bucket holds. Then the source is refused until the debt is
// repaid; others are not.
func TestDebtIsRepaidBeforeTheNextAnswer(t *testing.T) {
	l := &Limiter{Rates: Rates{
		PerSource: Rate{PerSecond: 10, Burst: 10}, PerPrefix: Rate{PerSecond: 100, Burst: 100},
		Global: Rate{PerSecond: 1000, Burst: 1000},
	}}
	from, now := netip.MustParseAddr("192.0.2.1"), time.Unix(1e9, 0)
	for range 3 {
		l.Charge(from, 10, now)
	}
	for _, tt := range []struct {
		after time.Duration
		from  string
		want  bool
	}{
		{0, "192.0.2.1", false},
		{0, "192.0.2.2", true},
		{1900 * time.Millisecond, "192.0.2.1", false},
		{200 * time.Millisecond, "192.0.2.1", true},
	} {
		now = now.Add(tt.after)
		if got := l.Allow(netip.MustParseAddr(tt.from), now); got != tt.want {
			t.Errorf("%v later, %s: %v, want %v", tt.after, tt.from, got, tt.want)
		}
	}
}

// The work of many sources together, each within its limits, counts in total, so no source is
// served until the debt is repaid.
func TestChargesCountInTotal(t *testing.T) {
	l := &Limiter{Rates: Rates{
		PerSource: Rate{PerSecond: 10, Burst: 10}, PerPrefix: Rate{PerSecond: 100, Burst: 100},
		Global: Rate{PerSecond: 100, Burst: 100},
	}}
	now := time.Unix(1e9, 0)
	for i := range 20 {
		l.Charge(elsewhere(i), 10, now)
	}
	other := netip.MustParseAddr("192.0.2.1")
	if l.Allow(other, now.Add(900*time.Millisecond)) {
		t.Error("allowed while all is used up")
	}
	if !l.Allow(other, now.Add(1100*time.Millisecond)) {
		t.Error("refused after that")
	}
}
