package udp

import (
	"encoding/binary"
	"errors"
	"net"
	"syscall"

	"golang.org/x/net/ipv4"
)

// udpSegment is UDP_SEGMENT of udp(7): the kernel cuts one message into datagrams of a size,
// which takes it a fraction of the time of as many messages.
const udpSegment = 103

// Limits of the kernel for one message.
const (
	maxSegments  = 64
	maxSegmented = 65507 // bytes, over IPv4
)

// canSegment reports whether the kernel cuts messages. One before Linux 4.18 ignores the
// size and sends a datagram of all parts.
func canSegment(c *net.UDPConn) bool {
	return control(c, func(fd int) error {
		_, err := syscall.GetsockoptInt(fd, syscall.IPPROTO_UDP, udpSegment)
		return err
	}) == nil
}

// equalParts returns how many datagrams at the start of b one message can hold. They have one
// size; the last may be shorter.
func equalParts(b [][]byte) int {
	size := len(b[0])
	if size == 0 {
		return 1
	}
	limit := min(len(b), maxSegments, maxSegmented/size)
	n := 1
	for n < limit && len(b[n]) == size {
		n++
	}
	if n < limit && 0 < len(b[n]) && len(b[n]) < size {
		n++
	}
	return n
}

// A segmentSize is a control message with the size of datagrams.
type segmentSize []byte

// set returns the control message with a size.
func (s *segmentSize) set(size int) []byte {
	const space = 2
	if *s == nil {
		h := syscall.Cmsghdr{Level: syscall.IPPROTO_UDP, Type: udpSegment}
		h.SetLen(syscall.CmsgLen(space))
		*s = make([]byte, syscall.CmsgSpace(space))
		binary.Encode(*s, binary.NativeEndian, h)
	}
	binary.NativeEndian.PutUint16((*s)[syscall.CmsgLen(0):], uint16(size))
	return *s
}

// sendParts sends the datagrams of a message that the kernel did not cut, because of err.
// They may be too long for the route. EIO is an error of the route's device, so this socket
// does not try again.
func (c *batch) sendParts(m *ipv4.Message, err error) (sent, failed int) {
	if errors.Is(err, syscall.EIO) {
		c.segments = false
	}
	for i := range m.Buffers {
		part := ipv4.Message{Buffers: m.Buffers[i : i+1], Addr: m.Addr}
		if _, err := c.pc.WriteBatch([]ipv4.Message{part}, 0); err != nil {
			c.refuse(m.Addr, err)
			failed++
		} else {
			sent++
		}
	}
	return sent, failed
}
