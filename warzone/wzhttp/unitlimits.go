package wzhttp

import "github.com/lobbywire/lobbywire/internal/wire"

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
func (l Limits) String() string { return wire.BitNames(l, limitNames[:], 16, "0x0") }
