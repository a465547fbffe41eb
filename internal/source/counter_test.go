package source

import (
	"net/netip"
	"testing"
)

func TestCounterKeepsItsLimits(t *testing.T) {
	for _, tt := range []struct {
		name    string
		c       Counter
		there   []string
		refused string
		taken   string
	}{
		{"one too many", Counter{Max: 2}, []string{"192.0.2.1", "2001:db8::1"}, "198.51.100.1", ""},
		{"one too many without an address", Counter{Max: 2}, []string{"", "192.0.2.1"}, "", ""},
		{"one too many of an address", Counter{MaxPerAddress: 2}, []string{"192.0.2.1", "::ffff:192.0.2.1"},
			"192.0.2.1", "192.0.2.2"},
		{"one too many of a prefix", Counter{MaxPerPrefix: 2}, []string{"192.0.2.1", "192.0.2.2"},
			"192.0.2.255", "192.0.3.0"},
		{"one too many of an IPv6 /64", Counter{MaxPerAddress: 2}, []string{"2001:db8::1", "2001:db8::2%eth0"},
			"2001:db8::ffff:3", "2001:db8:0:1::1"},
		{"one too many of an IPv6 /48", Counter{MaxPerPrefix: 2}, []string{"2001:db8::1", "2001:db8:0:2::2"},
			"2001:db8:0:ffff::", "2001:db8:1::"},
		{"address and prefix do not mix", Counter{MaxPerAddress: 2, MaxPerPrefix: 3},
			[]string{"192.0.2.0", "192.0.2.0"}, "192.0.2.0", "192.0.2.1"},
		{"no address has no other limit", Counter{Max: 3, MaxPerAddress: 1, MaxPerPrefix: 1},
			[]string{"", "", "192.0.2.1"}, "198.51.100.1", ""},
	} {
		for _, a := range tt.there {
			if !tt.c.Add(addr(a)) {
				t.Errorf("%s: %q is refused", tt.name, a)
			}
		}
		if tt.c.Add(addr(tt.refused)) || tt.c.Len() != len(tt.there) {
			t.Errorf("%s: %q is counted, %d in total", tt.name, tt.refused, tt.c.Len())
		}
		if tt.taken != "" && !tt.c.Add(addr(tt.taken)) {
			t.Errorf("%s: %q is refused", tt.name, tt.taken)
		}
		tt.c.Remove(addr(tt.there[0]))
		if !tt.c.Add(addr(tt.refused)) {
			t.Errorf("%s: %q is refused when there is room again", tt.name, tt.refused)
		}
		left := append(tt.there[1:], tt.refused)
		if tt.taken != "" {
			left = append(left, tt.taken)
		}
		for _, a := range left {
			tt.c.Remove(addr(a))
		}
		if tt.c.Len() != 0 || len(tt.c.sources)+len(tt.c.prefixes) != 0 {
			t.Errorf("%s: something is left: %+v", tt.name, tt.c)
		}
	}
}

// addr returns an address, "" none.
func addr(s string) netip.Addr {
	a, _ := netip.ParseAddr(s)
	return a
}
