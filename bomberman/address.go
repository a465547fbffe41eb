package bomberman

import (
	"math"
	"net/netip"
	"strings"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// Bounds of host names, in bytes, by RFC 1123.
const (
	maxHost  = 253
	maxLabel = 63
)

// Reasons for refusing a value.
const (
	validPortFault    wire.Invalid = "is not from 1 to 65535, or is the port of the management server"
	validAddressFault wire.Invalid = "is neither an IP address nor a host name"
)

// validPort reports whether a game server may have the port. The port of the
// management server is reserved.
func validPort(port int) bool { return port > 0 && port <= math.MaxUint16 && port != Port }

// validAddress reports whether s is an IPv4 address, an IPv6 address or a host
// name. A text with a colon must be an IPv6 address without brackets and zone. A
// text whose last label consists of digits must be an IPv4 address of four
// numbers without leading zeros.
func validAddress(s string) bool {
	last := s[strings.LastIndexByte(s, '.')+1:]
	if strings.IndexByte(s, ':') < 0 && strings.ContainsFunc(last, func(c rune) bool { return c < '0' || c > '9' }) {
		return validHost(s)
	}
	a, err := netip.ParseAddr(s)
	return err == nil && a.Zone() == ""
}

// validHost reports whether s is a host name: labels of letters, digits and hyphens,
// which do not start or end a label. Underscores and non-ASCII characters pass too,
// because resolvers accept them.
func validHost(s string) bool {
	if len(s) > maxHost {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > maxLabel {
			return false
		}
		if label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range []byte(label) {
			if c < utf8.RuneSelf && !isLetter(c) && !isDigit(c) && c != '-' && c != '_' {
				return false
			}
		}
	}
	return true
}
