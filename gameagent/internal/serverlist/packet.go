package serverlist

import (
	"net/netip"
	"time"
)

// A Packet is a datagram that a master has received.
type Packet struct {
	Now   time.Time  // when it was read
	Local netip.Addr // where it arrived; not valid if that is unknown
	From  netip.AddrPort
	Body  []byte
}
