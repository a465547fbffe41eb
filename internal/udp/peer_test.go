package udp

import (
	"net"
	"net/netip"
	"strconv"
	"testing"
)

// A zone is the name of its interface, and no part of an address that needs none.
func TestPeerNamesZones(t *testing.T) {
	all, err := net.Interfaces()
	if err != nil || len(all) == 0 {
		t.Skip("no network interfaces:", err)
	}
	name, number := all[0].Name, strconv.Itoa(all[0].Index)
	for in, want := range map[string]string{
		"192.0.2.1:7":              "192.0.2.1:7",
		"[::ffff:192.0.2.1]:7":     "192.0.2.1:7",
		"169.254.0.1:7":            "169.254.0.1:7",
		"[2001:db8::1]:7":          "[2001:db8::1]:7",
		"[2001:db8::1%nothing]:7":  "[2001:db8::1]:7",
		"[::1%" + name + "]:7":     "[::1]:7",
		"[::1%" + number + "]:7":   "[::1]:7",
		"[fe80::1%" + name + "]:7": "[fe80::1%" + name + "]:7",

		"[fe80::1%" + number + "]:7": "[fe80::1%" + name + "]:7",

		"[fe80::1]:7": "", "[fe80::1%nothing]:7": "", "[fe80::1%0]:7": "", "[fe80::1%-1]:7": "", "[fe80::1%123456789]:7": "",
	} {
		got, err := Peer(netip.MustParseAddrPort(in))
		if (err != nil) != (want == "") || err == nil && got.String() != want {
			t.Errorf("%s: %v, %v, want %s", in, got, err, want)
		}
	}
}
