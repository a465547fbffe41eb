package gamespy2net

import (
	"net/netip"
	"time"
)

// A packet is a datagram that the Master has received.
type packet struct {
	now   time.Time  // when it was read
	local netip.Addr // where it arrived; not valid if unknown
	from  netip.AddrPort
	b     []byte
}
