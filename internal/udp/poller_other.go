//go:build !linux

package udp

import "net"

// NewPoller returns a Poller for sockets like pc, or nil if there is none.
func NewPoller(net.PacketConn) Poller { return nil }
