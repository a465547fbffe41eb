package limit

import (
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
)

// Rates that change apply at once, also while others are allowed.
func TestSetReplacesRates(t *testing.T) {
	var l Limiter
	defaults := lobbywire.Rates{PerSource: 4, PerPrefix: 100, Global: 100}
	l.Set(RatesOf(lobbywire.Rates{}, defaults))
	from, now := netip.MustParseAddr("192.0.2.1"), time.Now()
	count := func(now time.Time) (n int) {
		for range 50 {
			if l.Allow(from, now) {
				n++
			}
		}
		return n
	}
	if n := count(now); n != 4 {
		t.Errorf("%d of 4 are allowed", n)
	}
	l.Set(RatesOf(lobbywire.Rates{PerSource: 10}, defaults))
	if n := count(now.Add(time.Minute)); n != 10 {
		t.Errorf("%d of 10 are allowed after the change", n)
	}
	if l.Allow(from, now.Add(time.Minute)) {
		t.Error("a change refills a bucket")
	}
	l.Set(RatesOf(lobbywire.Rates{PerSource: 2}, defaults))
	if n := count(now.Add(2 * time.Minute)); n != 2 {
		t.Errorf("%d of 2 are allowed after the second change", n)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			l.Set(RatesOf(lobbywire.Rates{PerSource: i + 1}, defaults))
			l.Allow(from, now)
		})
	}
	all.Wait()
}
