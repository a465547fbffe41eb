package gameagent

import (
	"net/netip"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// mappedPrefix precedes IPv4 addresses of old masters of 333networks.
const mappedPrefix = "::ffff:"

// parseLegacyAddress reads the address of a server, such as "192.0.2.1:25601". It is
// not ok unless it has IPv4 and a port.
func parseLegacyAddress(text string) (a netip.AddrPort, ok bool) {
	a, err := netip.ParseAddrPort(strings.TrimPrefix(text, mappedPrefix))
	return a, err == nil && a.Addr().Is4() && a.Port() != 0
}

// appendLegacyAddress appends the address of a server. It refuses those that
// parseLegacyAddress does not return.
func appendLegacyAddress(w *wire.Writer, a netip.AddrPort) {
	switch {
	case !a.Addr().Is4():
		w.Refuse("addr", "not IPv4")
	case a.Port() == 0:
		w.Refuse("port", "missing")
	default:
		w.Addr(a.Addr())
		w.Uint8(':')
		w.Decimal(uint64(a.Port()))
	}
}

// IsLegacyTextComplete reports whether a stream with a [LegacyAddressList] or a
// [LegacySyncList] needs no more bytes: b ends with the end mark, or is longer than
// [MaxLegacyText]. It examines only the end of b.
func IsLegacyTextComplete(b []byte) bool {
	n := len(b) - len(legacyEnd)
	return len(b) > MaxLegacyText || n >= 0 && string(b[n:]) == legacyEnd
}
