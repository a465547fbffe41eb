package wzhttp

import (
	"strconv"
	"strings"
)

// Limits is a set of units that players cannot build, one bit each. The binary
// protocol has the bits in a different order.
type Limits uint8

// The limits.
const (
	LimitTanks   Limits = 1 << 0
	LimitCyborgs Limits = 1 << 1
	LimitVTOLs   Limits = 1 << 2
)

// limitNames are in the order of the bits.
var limitNames = [...]string{"tanks", "cyborgs", "vtols"}

// Has reports whether l contains all of x.
func (l Limits) Has(x Limits) bool { return l&x == x }

// String returns the names joined by |, such as "tanks|vtols". Unknown bits are
// a hexadecimal number, and the empty set is "0x0".
func (l Limits) String() string {
	var names []string
	rest := l
	for i, name := range limitNames {
		if l.Has(1 << i) {
			names = append(names, name)
			rest &^= 1 << i
		}
	}
	if rest != 0 || l == 0 {
		names = append(names, "0x"+strconv.FormatUint(uint64(rest), 16))
	}
	return strings.Join(names, "|")
}
