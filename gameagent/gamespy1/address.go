package gamespy1

import (
	"net/netip"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// mappedPrefix precedes IPv4 addresses of old masters of 333networks.
const mappedPrefix = "::ffff:"

// parseAddress reads the address of a server, such as "192.0.2.1:25601". It accepts only an
// IPv4 address with a port.
func parseAddress(text string) (a netip.AddrPort, ok bool) {
	a, err := netip.ParseAddrPort(strings.TrimPrefix(text, mappedPrefix))
	return a, err == nil && a.Addr().Is4() && a.Port() != 0
}

// appendAddress appends the address of a server. It refuses those that
// parseAddress does not return.
func appendAddress(w *wire.Writer, a netip.AddrPort) {
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

// IsTextComplete reports whether a stream with a [AddressList] or a
// [SyncList] needs no more bytes: b ends with the end mark, or is longer than
// [MaxText]. It examines only the end of b.
func IsTextComplete(b []byte) bool {
	n := len(b) - len(endMark)
	return len(b) > MaxText || n >= 0 && string(b[n:]) == endMark
}
