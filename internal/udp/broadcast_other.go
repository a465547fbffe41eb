//go:build !unix && !windows

package udp

import "net"

// ForbidBroadcast has no effect on this system.
func ForbidBroadcast(net.PacketConn) {}
