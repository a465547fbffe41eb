package refusals

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
)

func addrOf(n int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}), 6500)
}

func TestBook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b Book
		master := b.Of("gamespy", false)
		host := netip.MustParseAddrPort("192.0.2.7:6500")
		key := lobbywire.Refusal{From: host, Reason: lobbywire.ReasonKey, Game: "bf2"}
		master(key)
		time.Sleep(time.Minute)
		master(lobbywire.Refusal{From: host, Reason: lobbywire.ReasonUnreachable})
		time.Sleep(time.Minute)
		master(key)
		master(lobbywire.Refusal{From: netip.MustParseAddrPort("192.0.2.8:6500"), Reason: lobbywire.ReasonKey})
		want := []Refusal{
			{"gamespy", host, lobbywire.ReasonKey, key.String(), time.Now(), 2},
			{"gamespy", host, lobbywire.ReasonUnreachable, "the server does not answer at its address",
				time.Now().Add(-time.Minute), 1},
		}
		if diff := cmp.Diff(want, b.From(host.Addr()), cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })); diff != "" {
			t.Error(diff)
		}
		if got := b.Counts()[lobbywire.ReasonKey]; got != 3 {
			t.Errorf("%d refusals because of a key", got)
		}
	})
}

// Neither a flood of its neighbours nor one of forged addresses displaces a refusal; the
// memory stays bounded.
func TestFlood(t *testing.T) {
	var b Book
	host := netip.MustParseAddrPort("192.0.2.7:6500")
	b.Of("warzone", true)(lobbywire.Refusal{From: host, Reason: lobbywire.ReasonUnreachable})
	forged := b.Of("gamespy", false)
	for i := range 100_000 {
		forged(lobbywire.Refusal{From: addrOf(i << 8), Reason: lobbywire.ReasonGame})
		if i%2 == 0 {
			forged(lobbywire.Refusal{From: addrOf(i), Reason: lobbywire.ReasonGame})
		}
	}
	if got := b.From(host.Addr()); len(got) != 1 {
		t.Errorf("%v is left", got)
	}
	if n := len(b.claimed.pages); n != maxPrefixes || b.claimed.order.Len() != n {
		t.Errorf("%d prefixes, %d in order", n, b.claimed.order.Len())
	}
	for _, e := range b.claimed.pages {
		if n := len(e.Value.(*page).refusals); n > maxPerPrefix {
			t.Errorf("%d refusals of a prefix", n)
		}
	}
}
