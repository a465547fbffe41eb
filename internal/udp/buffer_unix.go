//go:build unix

package udp

import (
	"errors"
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
	if size := receiveBuffer(c); size >= wantedBuffer {
		return size // a larger one of the caller
	}
	_ = c.SetReadBuffer(wantedBuffer) // the size shows whether this fails
	return receiveBuffer(c)
}

// receiveBuffer returns the size of the receive buffer, or an estimate.
func receiveBuffer(c *net.UDPConn) (size int) {
	err := control(c, func(fd int) (err error) {
		size, err = syscall.GetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_RCVBUF)
		return err
	})
	if err != nil {
		return guessedBuffer
	}
	return size
}

// control calls f with the file descriptor of c.
func control(c *net.UDPConn, f func(fd int) error) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var failure error
	err = raw.Control(func(fd uintptr) { failure = f(int(fd)) })
	return errors.Join(err, failure)
}
