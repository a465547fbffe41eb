package soak

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// Strangers is a pattern that no name of a host matches.
const Strangers = `^(~?[^~]|~$)`

// name returns the name of a host. Each update gives it another revision.
func name(id, revision int) string { return fmt.Sprintf("~~%d.%d", id, revision) }

// parseName is the inverse of name.
func parseName(s string) (id, revision int, ok bool) {
	rest, ours := strings.CutPrefix(s, "~~")
	before, after, whole := strings.Cut(rest, ".")
	id, err := strconv.Atoi(before)
	if !ours || !whole || err != nil {
		return 0, 0, false
	}
	revision, err = strconv.Atoi(after)
	return id, revision, err == nil && s == name(id, revision)
}

// perPrefix keeps hosts within the limits of lobbyd for a /24.
const perPrefix = 100

// addrOf returns the address of a host.
func addrOf(id int) netip.Addr {
	return netip.AddrFrom4([4]byte{127, 101, byte(id / perPrefix), byte(1 + id%perPrefix)})
}

// idOf is the inverse of addrOf.
func idOf(a netip.Addr) (id int, ok bool) {
	a = a.Unmap()
	if !a.Is4() {
		return 0, false
	}
	b := a.As4()
	id = int(b[2])*perPrefix + int(b[3]) - 1
	return id, addrOf(id) == a
}

// MaxHosts is the number of available addresses.
const MaxHosts = 256 * perPrefix

// hostile returns the address of a hostile peer. There are few, which limits the
// games that they open.
func hostile(n int) netip.Addr { return netip.AddrFrom4([4]byte{127, 66, 0, byte(1 + n%4)}) }
