package targets

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// IPv6 and IPv4 addresses alternate, IPv6 first, without duplicates.
func TestAddressFamiliesAlternate(t *testing.T) {
	parse := func(all ...string) (addrs []netip.Addr) {
		for _, s := range all {
			addrs = append(addrs, netip.MustParseAddr(s))
		}
		return addrs
	}
	got := InTurn(parse("192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2", "192.0.2.3", "2001:db8::2",
		"2001:db8::1", "2001:db8::2"))
	want := parse("2001:db8::2", "192.0.2.1", "2001:db8::1", "192.0.2.2", "192.0.2.3")
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b netip.Addr) bool { return a == b })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
