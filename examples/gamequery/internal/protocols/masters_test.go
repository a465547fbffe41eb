package protocols

import (
	"net/netip"
	"slices"
	"testing"
)

// A server registers with a UDP master at all IPv4 addresses of its name.
func TestRegistrationAddresses(t *testing.T) {
	got := registrationAddresses([]netip.Addr{
		netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2"),
	}, 27900)
	want := []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:27900"), netip.MustParseAddrPort("192.0.2.2:27900")}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
