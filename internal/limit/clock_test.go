package limit

import (
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// Limits follow the monotonic clock: setting the wall clock changes nothing.
func TestLimitsIgnoreTheWallClock(t *testing.T) {
	from := netip.MustParseAddr("192.0.2.1")
	for _, d := range []time.Duration{time.Hour, -time.Hour} {
		l := &Limiter{Rates: Rates{PerSource: Rate{10, 10}, Global: Rate{1000, 1000}}}
		start := time.Now()
		for range 10 {
			l.Allow(from, start)
		}
		if l.Allow(from, nettest.SetClock(start, d)) {
			t.Errorf("clock set by %v: an exhausted source passes", d)
		}
		if !l.Allow(from, nettest.SetClock(start.Add(time.Second), d)) {
			t.Errorf("clock set by %v: a source is refused a second later", d)
		}
	}
}
