package udp

import (
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// Tokens follow the monotonic clock: setting the wall clock changes nothing.
func TestTokensIgnoreTheWallClock(t *testing.T) {
	from := netip.MustParseAddrPort("192.0.2.1:5000")
	for _, d := range []time.Duration{time.Hour, -time.Hour} {
		m := &Minter{Slot: 10 * time.Second}
		start := time.Now()
		token := m.Token(from, start)
		if got := m.Token(from, nettest.SetClock(start, d)); got != token {
			t.Errorf("clock set by %v: the token has changed", d)
		}
		if !m.Valid(from, token, nettest.SetClock(start.Add(time.Second), d)) {
			t.Errorf("clock set by %v: the token is not valid a second later", d)
		}
	}
}

func TestLettersWriteTokensInSixCharacters(t *testing.T) {
	for token, want := range map[uint32]string{0: "AAAAAA", 1: "BAAAAA", 61: "9AAAAA", 62: "ABAAAA",
		1<<32 - 1: "DMPpqE"} {
		if got := Letters(token); got != want {
			t.Errorf("%d: %q, want %q", token, got, want)
		}
	}
}
