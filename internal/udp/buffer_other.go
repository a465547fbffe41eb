//go:build !unix

package udp

import "net"

// ReceiveBuffer requests a large receive buffer and returns an estimate of the size
// granted, in bytes: the system does not report it.
func ReceiveBuffer(pc net.PacketConn) int {
	if c, ok := pc.(*net.UDPConn); ok {
		_ = c.SetReadBuffer(wantedBuffer)
	}
	return guessedBuffer
}
