package output

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// An order is the value of the flag -sort: the members to sort servers by, the most
// important one first.
type order []orderKey

type orderKey struct {
	member     string
	descending bool
}

// parseOrder reads members, joined by commas. A dash before one means descending.
func parseOrder(s string) (order, error) {
	full, err := FullRecord()
	if err != nil {
		return nil, err
	}
	var o order
	for name := range strings.SplitSeq(s, ",") {
		// A word of the command line that starts with a dash starts with two here, see
		// dashes.Double.
		member := strings.TrimLeft(name, "-")
		if !slices.Contains(Sortable(full), member) {
			return nil, fmt.Errorf("no member %q; there are %s", member, strings.Join(Sortable(full), ", "))
		}
		o = append(o, orderKey{member, member != name})
	}
	return o, nil
}

// Sortable returns the names of the members with a single value.
func Sortable(full Record) (names []string) {
	for name, v := range full {
		switch v.(type) {
		case string, int, float64, bool:
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// compare compares servers. Unknown members come last in either direction.
func (o order) compare(a, b Record) int {
	for _, key := range o {
		x, y := a[key.member], b[key.member]
		if x == nil || y == nil {
			if x != nil {
				return -1
			}
			if y != nil {
				return 1
			}
			continue
		}
		c := compareValues(x, y)
		if key.descending {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// compareValues compares values of a member. Addresses compare by their numbers, and
// other texts without regard to case.
func compareValues(x, y any) int {
	switch x := x.(type) {
	case string:
		y, _ := y.(string)
		a, errA := netip.ParseAddrPort(x)
		b, errB := netip.ParseAddrPort(y)
		if errA == nil && errB == nil {
			return a.Compare(b)
		}
		return cmp.Or(strings.Compare(strings.ToLower(x), strings.ToLower(y)), strings.Compare(x, y))
	case bool:
		if x == y {
			return 0
		} else if x {
			return 1
		}
		return -1
	}
	return cmp.Compare(asFloat(x), asFloat(y))
}
