//go:build unix

package udp

import (
	"net"
	"syscall"
)

// ReceiveBuffer requests a large receive buffer and returns the size granted, in
// bytes. For other connections than UDP sockets it returns an estimate.
func ReceiveBuffer(pc net.PacketConn) int {
	c, ok := pc.(*net.UDPConn)
	if !ok {
		return guessedBuffer
	}
	// The size granted below shows whether this fails.
	_ = c.SetReadBuffer(wantedBuffer)
	raw, err := c.SyscallConn()
	if err != nil {
		return guessedBuffer
	}
	size := guessedBuffer
	_ = raw.Control(func(fd uintptr) {
		if n, err := syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF); err == nil {
			size = n
		}
	})
	return size
}
