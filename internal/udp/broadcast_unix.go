//go:build unix

package udp

import (
	"net"
	"syscall"
)

// ForbidBroadcast makes the system refuse to send datagrams of a UDP socket to broadcast
// addresses, which package net permits. It has no effect on other connections.
func ForbidBroadcast(pc net.PacketConn) {
	if c, ok := pc.(*net.UDPConn); ok {
		_ = control(c, func(fd int) error {
			return syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_BROADCAST, 0)
		}) // cannot fail for an open socket, and a closed one sends nothing
	}
}
