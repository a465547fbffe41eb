package gamespy2net_test

import (
	"math/rand/v2"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// anywhere returns a public address.
func anywhere() netip.AddrPort {
	n := rand.Uint32()
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{40 + byte(n>>24)%60, byte(n >> 16), byte(n >> 8), byte(n)}), 6500)
}

// Listed servers that have sent the same heartbeat for two days still prove their prefixes:
// during a flood from random sources at 20 times the total rate, they register again when
// they restart.
func TestKnownPrefixesRegisterDuringAFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		prefixes := suite.Pick(25, 100)
		m := &gamespy2net.Master{Games: []gamespy2net.Game{gmtest}} // with the default limits
		heartbeat := beat{key: [4]byte{1}}.wire(t)
		server := func(i int) netip.AddrPort {
			return netip.AddrPortFrom(netip.AddrFrom4([4]byte{203, 1, byte(i), 1}), 6500)
		}
		for i := range prefixes {
			enlist(t, m, server(i), heartbeat)
		}
		for range 48 * 60 {
			time.Sleep(time.Minute)
			for i := range prefixes {
				noAnswer(t, m, server(i), heartbeat)
			}
		}
		restarted, forged := beat{key: [4]byte{2}}.wire(t), beat{}.wire(t)
		var dst [][]byte
		asked, answered, strange := 0, 0, 0
		for i := range suite.Pick(300, 2000) {
			for range 200 {
				dst, _ = m.Respond(anywhere(), forged, dst[:0])
			}
			if i%10 == 0 {
				from := server(asked % prefixes)
				dst, _ = m.Respond(from, restarted, dst[:0])
				asked++
				answered += len(dst)
				strange += len(nettest.Answers(m.Respond(anywhere(), restarted, nil)))
			}
			time.Sleep(time.Millisecond)
		}
		t.Logf("of %d each: %d in known prefixes answered, %d strangers", asked, answered, strange)
		if answered*100 < asked*95 {
			t.Errorf("%d of %d servers in known prefixes answered, want 95 %%", answered, asked)
		}
	})
}
