package limit

import (
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// During a flood from one prefix, at many times the total rate, all others are still
// answered. The prefix, or its one source, gets what its limit allows and no more.
func TestFloodOfAPrefixUsesUpItsOwnLimit(t *testing.T) {
	for _, tt := range []struct {
		name     string
		defaults lobbywire.Rates // of a server
		flood    int             // requests a second
		attacker func(i int) netip.Addr
		limit    int // of the attacker
	}{
		{"lists of a GameAgent master",
			lobbywire.Rates{PerSource: 16, PerPrefix: 400, Global: 10_000}, 5_000, inPrefix24, 400},
		{"queries of a GameAgent server",
			lobbywire.Rates{PerSource: 32, PerPrefix: 512, Global: 10_000}, 50_000, inPrefix24, 512},
		{"tokens of an SQP server, IPv4",
			lobbywire.Rates{PerSource: 100, PerPrefix: 1600, Global: 100_000}, 500_000, inPrefix24, 1600},
		{"tokens of an SQP server, IPv6 /48",
			lobbywire.Rates{PerSource: 100, PerPrefix: 1600, Global: 100_000}, 500_000, inPrefix48, 1600},
		{"tokens of an SQP server, one source",
			lobbywire.Rates{PerSource: 100, PerPrefix: 1600, Global: 100_000}, 500_000, one, 100},
		{"tokens of an SQP server, one IPv6 /64",
			lobbywire.Rates{PerSource: 100, PerPrefix: 1600, Global: 100_000}, 500_000, inSource64, 100},
	} {
		var l Limiter
		l.Set(RatesOf(lobbywire.Rates{}, tt.defaults))
		const honest = 200 // requests a second, each from another prefix
		seconds := suite.Pick(1, 3)
		answered, asked, taken := 0, 0, 0
		now := time.Now()
		for i := range seconds * tt.flood {
			now = now.Add(time.Second / time.Duration(tt.flood))
			if l.Allow(tt.attacker(i), now) {
				taken++
			}
			if i%(tt.flood/honest) == 0 {
				asked++
				if l.Allow(elsewhere(asked), now) {
					answered++
				}
			}
		}
		if answered*100 < asked*95 {
			t.Errorf("%s: %d of %d honest requests answered, want 95 %%", tt.name, answered, asked)
		} else {
			t.Logf("%s: %d of %d honest requests answered", tt.name, answered, asked)
		}
		if taken > (seconds+1)*tt.limit {
			t.Errorf("%s: %d answers to the attacker, want %d a second", tt.name, taken, tt.limit)
		}
	}
}

func inPrefix24(i int) netip.Addr { return netip.AddrFrom4([4]byte{203, 0, 113, byte(i)}) }

func inPrefix48(i int) netip.Addr {
	return netip.AddrFrom16([16]byte{0x20, 1, 0xd, 0xb8, 0, 1, byte(i >> 8), byte(i)})
}

func inSource64(i int) netip.Addr {
	return netip.AddrFrom16([16]byte{0x20, 1, 0xd, 0xb8, 0, 1, 0, 2, 14: byte(i >> 8), 15: byte(i)})
}

func one(int) netip.Addr { return inPrefix24(1) }

// elsewhere returns addresses of many prefixes.
func elsewhere(i int) netip.Addr { return netip.AddrFrom4([4]byte{198, byte(i >> 8), byte(i), 1}) }

// Within an IPv6 /48, a /56 gets half, also the first one, which has the number of the /48.
func TestPrefix56GetsHalf(t *testing.T) {
	l := &Limiter{Rates: Rates{PerSource: Rate{100, 100}, PerPrefix: Rate{10, 10}, Global: Rate{1000, 1000}}}
	now := time.Now()
	count := func(high byte) (n int) {
		for low := range 20 {
			if l.Allow(netip.AddrFrom16([16]byte{0x20, 1, 0xd, 0xb8, 0, 1, high, byte(low)}), now) {
				n++
			}
		}
		return n
	}
	if a, b, c := count(0), count(2), count(3); a != 5 || b != 5 || c != 0 {
		t.Errorf("%d, %d and %d requests of three /56 pass, want 5, 5 and none", a, b, c)
	}
}

// Sources outside the known prefixes take at most half of the total with requests for several
// events, whatever their number. The rest is for requests for one event.
func TestSeveralEventsLeaveHalf(t *testing.T) {
	var l Limiter
	l.Set(RatesOf(lobbywire.Rates{}, lobbywire.Rates{PerSource: 16, PerPrefix: 16, Global: 100}))
	now := time.Now()
	several, single := 0, 0
	for i := range 200 {
		switch n := l.AllowSome(elsewhere(i), 16, now); n {
		case 16:
			several += n
		default:
			single += n
		}
	}
	if several > 50 || several+single != 100 {
		t.Errorf("%d events in groups, want at most 50; %d single ones", several, single)
	}
}
