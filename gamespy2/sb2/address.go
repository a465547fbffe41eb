package sb2

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// decodeAddress reads an IPv4 address and a port, two fields of the layout.
func decodeAddress(r *wire.Reader, _ string) netip.AddrPort {
	ip := r.IPv4("ip")
	return netip.AddrPortFrom(ip, r.Uint16("port"))
}

// appendAddress appends an address and a port.
//
//wire:fails the address is not IPv4
func appendAddress(w *wire.Writer, _ string, a netip.AddrPort) {
	appendIP(w, "ip", a.Addr())
	w.Uint16(a.Port())
}

// appendIP appends an address. It fails if the address is not IPv4.
func appendIP(w *wire.Writer, field string, a netip.Addr) {
	if !a.Is4() {
		w.Refuse(field, "is not an IPv4 address")
		return
	}
	p := a.As4()
	w.Bytes(p[:])
}
