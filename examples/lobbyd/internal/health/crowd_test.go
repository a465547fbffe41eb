package health

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/colour"
)

// registrants are the servers of one name at addresses.
type registrants struct {
	from  func(i int) string
	count int
}

// at returns registrants at one address.
func at(addr string, count int) registrants {
	return registrants{func(int) string { return addr }, count}
}

// in returns registrants, each at an address of its own.
func in(format string, count int) registrants {
	return registrants{func(i int) string { return fmt.Sprintf(format, i) }, count}
}

// hidden returns how many of the registrants are hidden, if they register one after the
// other.
func hidden(all []registrants) []int {
	names, began := make(crowds), time.Unix(0, 0)
	var claims [][]claim
	for i, r := range all {
		claims = append(claims, nil)
		for n := range r.count {
			addr, _ := netip.ParseAddr(r.from(n))
			c := claim{key: fmt.Sprint(i, n), from: addr, name: "Server"}
			claims[i] = append(claims[i], c)
			names.add(catalogue.Bomberman, c, began)
			began = began.Add(time.Second)
		}
	}
	var j Judge
	j.setCrowds(names)
	counts := make([]int, len(all))
	for i := range claims {
		for _, c := range claims[i] {
			if j.fault(catalogue.Bomberman, c).text != "" {
				counts[i]++
			}
		}
	}
	return counts
}

// Only a source with many servers of a name is limited. Whatever others register, a
// server of another prefix stays listed, and so does an earlier server of the same
// prefix.
func TestNobodyHidesNamesOfOthers(t *testing.T) {
	honest := in("192.0.%d.1", 6)
	for _, tt := range []struct {
		name string
		all  []registrants
		want []int
	}{
		{"two addresses", []registrants{honest, at("198.51.100.1", 50), at("203.0.113.1", 50)}, []int{0, 34, 34}},
		{"before the honest ones", []registrants{at("198.51.100.1", 100), honest}, []int{84, 0}},
		{"a prefix", []registrants{honest, in("198.51.100.%d", 100)}, []int{0, 36}},
		{"the same prefix", []registrants{in("192.0.2.%d", 6), at("192.0.2.200", 50)}, []int{0, 34}},
		{"the same prefix, nearly full", []registrants{in("192.0.2.%d", 60), in("192.0.2.1%02d", 50)}, []int{0, 46}},
		{"a /64", []registrants{honest, in("2001:db8::%d", 40)}, []int{0, 24}},
		{"everywhere", []registrants{honest, in("198.18.%d.1", 200)}, []int{0, 0}},
		{"unknown hosts", []registrants{at("", 100)}, []int{0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, hidden(tt.all)); diff != "" {
				t.Errorf("hidden (-want +got):\n%s", diff)
			}
		})
	}
}

// A server that has just registered is hidden before the next look if its address has
// enough servers of its name.
func TestNewServersOfAFullNameAreHidden(t *testing.T) {
	names := make(crowds)
	from := netip.MustParseAddr("192.0.2.1")
	for i := range 3 {
		names.add(catalogue.Warzone, claim{key: fmt.Sprint(i), from: from, name: "Server"}, time.Unix(int64(i), 0))
	}
	var j Judge
	j.SetRules(Rules{SameName: 3})
	j.setCrowds(names)
	for _, tt := range []struct {
		name, from string
		hidden     bool
	}{
		{"^1SER^2ver ", "192.0.2.1", true},
		{" server", "192.0.2.1", true},
		{"server", "192.0.2.2", false},
		{"another", "192.0.2.1", false},
	} {
		c := claim{key: "new", from: netip.MustParseAddr(tt.from), name: tt.name, codes: colour.Quake}
		if got := j.fault(catalogue.Warzone, c).text; (got != "") != tt.hidden {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
