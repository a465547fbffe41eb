//go:build unix

package udp

import (
	"net"
	"syscall"
)

// ReceiveBuffer asks for a large receive buffer and returns the size of the one
// that was granted, in bytes. It guesses for what is not a UDP socket.
func ReceiveBuffer(pc net.PacketConn) int {
	c, ok := pc.(*net.UDPConn)
	if !ok {
		return guessedBuffer
	}
	// What is refused here shows in what is granted.
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
