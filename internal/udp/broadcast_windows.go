package udp

import (
	"net"
	"syscall"
)

// ForbidBroadcast makes the system refuse to send datagrams of a UDP socket to broadcast
// addresses, which package net permits. It has no effect on other connections.
func ForbidBroadcast(pc net.PacketConn) {
	c, ok := pc.(*net.UDPConn)
	if !ok {
		return
	}
	if raw, err := c.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) {
			_ = syscall.SetsockoptInt(syscall.Handle(fd), syscall.SOL_SOCKET, syscall.SO_BROADCAST, 0)
		})
	}
}
