package udp

import (
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/nettest"
)

// Limits and tokens follow the monotonic clock: setting the wall clock changes
// nothing.
func TestSetClock(t *testing.T) {
	from := netip.MustParseAddrPort("192.0.2.1:5000")
	for _, d := range []time.Duration{time.Hour, -time.Hour} {
		l := &Limiter{PerSource: Rate{10, 10}, Global: Rate{1000, 1000}}
		m := &Minter{Slot: 10 * time.Second}
		start := time.Now()
		token := m.Token(from, start)
		for range 10 {
			l.Allow(from.Addr(), start)
		}
		if now := nettest.SetClock(start, d); l.Allow(from.Addr(), now) || m.Token(from, now) != token {
			t.Errorf("clock set by %v: an exhausted source passes, or its token has changed", d)
		}
		now := nettest.SetClock(start.Add(time.Second), d)
		if !l.Allow(from.Addr(), now) || !m.Valid(from, token, now) {
			t.Errorf("clock set by %v: a source is refused a second later, or its token", d)
		}
	}
}
