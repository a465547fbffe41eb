package bomberman

import (
	"math"
	"net/netip"
	"strings"
	"unicode/utf8"
)

// Bounds of host names, in bytes, by RFC 1123.
const (
	maxHost  = 253
	maxLabel = 63
)

// validPort tells whether a game server may be reached at port. That of the
// management server is taken.
func validPort(port int) bool { return port > 0 && port <= math.MaxUint16 && port != Port }

// validAddress tells whether s is an IPv4 or IPv6 address or a host name. What
// looks like an address has to be one: what holds a colon, an IPv6 address
// without brackets and zone; what ends in a label of digits, or consists of
// digits and dots, an IPv4 address of four numbers without leading zeros.
func validAddress(s string, o Options) bool {
	last := s[strings.LastIndexByte(s, '.')+1:]
	switch {
	case strings.IndexByte(s, ':') >= 0:
		a, err := netip.ParseAddr(s)
		return err == nil && a.Zone() == ""
	case onlyDigits(last):
		a, err := netip.ParseAddr(s)
		return err == nil && a.Is4()
	}
	return validHost(s, o)
}

// onlyDigits tells whether there is nothing but digits in s.
func onlyDigits(s string) bool {
	for _, c := range []byte(s) {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

// validHost tells whether s is a host name: labels of letters, digits and
// hyphens. Unless Strict, there may be underscores and characters beyond ASCII.
func validHost(s string, o Options) bool {
	if len(s) > maxHost {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > maxLabel {
			return false
		}
		if o.Strict && (label[0] == '-' || label[len(label)-1] == '-') {
			return false
		}
		for _, c := range []byte(label) {
			known := isLetter(c) || isDigit(c) || c == '-'
			if !known && (o.Strict || c != '_' && c < utf8.RuneSelf) {
				return false
			}
		}
	}
	return true
}
