package limit

import (
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/source"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// During a flood from random sources at 20 times the total rate, sources of proven
// prefixes are answered. Other sources share the rest with the flood.
func TestProvenPrefixesAreAnsweredDuringAFlood(t *testing.T) {
	for _, tt := range []struct {
		name  string
		rates lobbywire.Rates // the defaults of a server
	}{
		{"lists of a GameAgent master", lobbywire.Rates{PerSource: 16, PerPrefix: 400, Global: 10_000}},
		{"heartbeats", lobbywire.Rates{PerSource: 256, PerPrefix: 1024, Global: 10_000}},
		{"GameSpy queries without challenge", lobbywire.Rates{PerSource: 10, PerPrefix: 20, Global: 200}},
		{"IPv6", lobbywire.Rates{PerSource: 16, PerPrefix: 400, Global: 10_000}},
	} {
		var p Proven
		l := Limiter{Proven: &p}
		l.Set(RatesOf(lobbywire.Rates{}, tt.rates))
		now := time.Now()
		const prefixes = 200
		seconds := suite.Pick(2, 5)
		forged := anywhere4
		if tt.name == "IPv6" {
			forged = anywhere6
		}
		for i := range prefixes {
			p.Add(elsewhere(i), now)
		}
		flood := 20 * tt.rates.Global
		known, strange, asked := 0, 0, 0
		for i := range seconds * flood {
			now = now.Add(time.Second / time.Duration(flood))
			l.Allow(forged(), now)
			if i%(flood*10/tt.rates.Global) != 0 { // honest ones use a tenth of the rate
				continue
			}
			asked++
			if l.Allow(elsewhere(asked%prefixes), now) {
				known++
			}
			if l.Allow(forged(), now) {
				strange++
			}
		}
		if known*100 < asked*95 {
			t.Errorf("%s: %d of %d requests of proven prefixes answered, want 95 %%", tt.name, known, asked)
		}
		t.Logf("%s: %d %% of proven prefixes answered, %.1f %% of strangers", tt.name, known*100/asked,
			float64(strange)*100/float64(asked))
		if strange == 0 {
			t.Errorf("%s: strangers can never prove themselves", tt.name)
		}
	}
}

// Sources that a Limiter allows are proven for another one, if their addresses are
// verified. Refused ones are not.
func TestAllowedSourcesAreProven(t *testing.T) {
	p := new(Proven)
	rates := lobbywire.Rates{PerSource: 1, PerPrefix: 1, Global: 4}
	verified, unverified := Limiter{Proves: p}, Limiter{Proven: p}
	verified.Set(RatesOf(lobbywire.Rates{}, rates))
	unverified.Set(RatesOf(lobbywire.Rates{}, rates))
	now := time.Now()
	known := []netip.Addr{elsewhere(1), netip.MustParseAddr("2001:db8:1::1")}
	for _, a := range known {
		if !verified.Allow(a, now.Add(time.Second)) {
			t.Fatalf("%v is refused", a)
		}
	}
	later := now.Add(time.Hour)
	for i := range 3 { // all that strangers may take
		if !unverified.Allow(elsewhere(10+i), later) {
			t.Errorf("stranger %d is refused", i)
		}
	}
	for _, tt := range []struct {
		from netip.Addr
		want bool
	}{{elsewhere(13), false}, {known[0], true}} {
		if got := unverified.Allow(tt.from, later); got != tt.want {
			t.Errorf("%v when strangers have taken all: %v, want %v", tt.from, got, tt.want)
		}
	}
	now = later.Add(time.Hour)
	for i := range 3 {
		unverified.Allow(elsewhere(20+i), now)
	}
	if !unverified.Allow(known[1].Next(), now) {
		t.Error("another source of an IPv6 prefix is refused")
	}
}

func anywhere4() netip.Addr {
	n := rand.Uint32()
	return netip.AddrFrom4([4]byte{1 + byte(n>>24)%190, byte(n >> 16), byte(n >> 8), byte(n)})
}

func anywhere6() netip.Addr {
	n := rand.Uint64()
	return netip.AddrFrom16([16]byte{0x20 | byte(n>>56)&15, byte(n >> 48), byte(n >> 40), byte(n >> 32), byte(n >> 24),
		byte(n >> 16), byte(n >> 8), byte(n), 1})
}

// A prefix stays proven for one to two periods after its last proof.
func TestProvenForgetsOldPrefixes(t *testing.T) {
	var p Proven
	a, start := netip.MustParseAddr("192.0.2.1"), time.Now()
	p.Add(a, start)
	hash := p.key.hash(source.Prefix(source.Of(a)))
	has := func(after time.Duration) bool { return p.has(hash, int64(after)) }
	for _, tt := range []struct {
		after time.Duration
		want  bool
	}{
		{0, true}, {period, true}, {2*period - 1, true}, {2 * period, false}, {3 * period, false},
	} {
		if got := has(tt.after); got != tt.want {
			t.Errorf("after %v: %v, want %v", tt.after, got, tt.want)
		}
	}
	p.Add(a, start.Add(3*period))
	if has(100 * period) {
		t.Error("a prefix is proven after a long silence")
	}
}

// With as many prefixes as the documentation says, few others pass as proven.
func TestProvenTakesFewForOthers(t *testing.T) {
	for _, tt := range []struct{ prefixes, oneIn int }{{20_000, 500}, {60_000, 30}} {
		var p Proven
		now := time.Now()
		for range tt.prefixes {
			p.Add(anywhere6(), now)
		}
		const tries = 100_000
		wrong := 0
		for range tries {
			if p.has(p.key.hash(rand.Uint64()|1<<63), 0) {
				wrong++
			}
		}
		t.Logf("%d prefixes: %d of %d others pass", tt.prefixes, wrong, tries)
		if wrong > tries/tt.oneIn {
			t.Errorf("%d prefixes: %d of %d others pass, want one in %d", tt.prefixes, wrong, tries, tt.oneIn)
		}
	}
}

// A flood costs no memory.
func TestProvenAllocatesNothing(t *testing.T) {
	var p Proven
	l := Limiter{Proven: &p, Proves: &p}
	l.Set(RatesOf(lobbywire.Rates{}, lobbywire.Rates{PerSource: 1, PerPrefix: 1, Global: 100}))
	now := time.Now()
	if n := testing.AllocsPerRun(1000, func() {
		a := anywhere6()
		l.Allow(a, now)
		p.Add(a, now)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
