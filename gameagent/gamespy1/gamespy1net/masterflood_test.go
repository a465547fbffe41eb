package gamespy1net_test

import (
	"math/rand/v2"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// near returns an address in one of 200 prefixes.
func near(prefix int, host byte) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{203, 1, byte(prefix % 200), host}), 25601)
}

// anywhere returns a public address.
func anywhere() netip.AddrPort {
	n := rand.Uint32()
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{40 + byte(n>>24)%60, byte(n >> 16), byte(n >> 8), 1 + byte(n)%254}),
		25601)
}

// During a flood from random sources at 20 times the total rate, clients and new servers
// in the prefixes of listed servers are answered.
func TestKnownPrefixesRegisterDuringAFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := new(gamespy1net.Master) // with the default limits
		for i := range 200 {
			enlist(t, m, near(i, 1))
		}
		const perMillisecond = 200 // lists, and joins
		var dst [][]byte
		isAnswered := func(from netip.AddrPort, req []byte) bool {
			dst, _ = m.Respond(from, req, dst[:0])
			return len(dst) > 0
		}
		asked, lists, joins, strange := 0, 0, 0, 0
		for i := range suite.Pick(300, 3000) {
			for range perMillisecond {
				isAnswered(anywhere(), askList)
				isAnswered(anywhere(), join)
			}
			if i%10 == 0 {
				asked++
				if isAnswered(near(asked, 2), askList) {
					lists++
				}
				if isAnswered(near(asked, 3), join) {
					joins++
				}
				if isAnswered(anywhere(), askList) {
					strange++
				}
			}
			time.Sleep(time.Millisecond)
		}
		t.Logf("of %d each: %d lists and %d joins in known prefixes, %d lists elsewhere", asked, lists, joins, strange)
		if lists*100 < asked*95 || joins*100 < asked*95 {
			t.Errorf("of %d each, %d lists and %d joins in known prefixes are answered, want 95 %%", asked, lists, joins)
		}
	})
}

// During a flood of 5000 requests a second for a long list, nearly every client gets at
// least a part of it.
func TestMasterSendsListsInParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := new(gamespy1net.Master)
		m.Limits.PerPrefix = 1 << 20
		m.Limits.Global = 1 << 20
		for i := range 16 * gameagent.MaxListEntries {
			enlist(t, m, manyServers(i))
		}
		var dst [][]byte
		asked, answered, datagrams := 0, 0, 0
		parts := make(map[string]bool)
		for i := range 2000 {
			for range 5 {
				dst, _ = m.Respond(anywhere(), askList, dst[:0])
				datagrams += len(dst)
			}
			if i%10 == 0 {
				asked++
				dst, _ = m.Respond(anywhere(), askList, dst[:0])
				if len(dst) > 0 {
					answered++
				}
				for _, p := range dst {
					parts[string(p)] = true
				}
			}
			time.Sleep(time.Millisecond)
		}
		if answered*100 < asked*95 || len(parts) != 16 {
			t.Errorf("%d of %d clients get something, %d of 16 datagrams in all", answered, asked, len(parts))
		}
		if datagrams > 3*10_000 {
			t.Errorf("the flood gets %d datagrams in 2 s", datagrams)
		}
	})
}
