package wire

import "net/netip"

// IPv4 reads an address of four bytes, in the order in which it is written.
func (r *Reader) IPv4(field string) netip.Addr {
	p := r.take(4, field)
	if p == nil {
		return netip.Addr{}
	}
	v := netip.AddrFrom4([4]byte(p))
	if r.trace != nil {
		r.trace.note(r, 4, field, v.String())
	}
	return v
}
