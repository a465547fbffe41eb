//go:build !unix

package udp

import "net"

// ReceiveBuffer asks for a large receive buffer and returns a guess of the size
// of the one that was granted, in bytes: the system does not tell.
func ReceiveBuffer(pc net.PacketConn) int {
	if c, ok := pc.(*net.UDPConn); ok {
		_ = c.SetReadBuffer(wantedBuffer)
	}
	return guessedBuffer
}
