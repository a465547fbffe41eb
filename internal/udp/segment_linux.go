package udp

import (
	"encoding/binary"
	"errors"
	"net"
	"syscall"

	"golang.org/x/net/ipv4"
)

// udpSegment is UDP_SEGMENT of udp(7): the kernel cuts one message into datagrams of a size,
// in a fraction of the time that as many messages would take.
const udpSegment = 103

// Limits of the kernel for one message.
const (
	maxSegments  = 64
	maxSegmented = 65507 // bytes, over IPv4
)

// canSegment reports whether the kernel cuts messages. Before Linux 4.18 it ignores the
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

// appendSegmentSize appends the control message with the size of datagrams. It must be the
// last one.
func appendSegmentSize(b []byte, size int) []byte {
	b, data := appendControl(b, syscall.IPPROTO_UDP, udpSegment, sizeofSegmentSize)
	binary.NativeEndian.PutUint16(data, uint16(size))
	return b
}

const sizeofSegmentSize = 2

// sendParts sends one by one the datagrams of a message that the kernel has refused to cut with
// err: they may be too long for the route, or the local address may not be one of this machine.
// After EIO, an error of the route's device, the socket sends no more messages to cut.
func (c *batch) sendParts(m *ipv4.Message, err error) (sent, failed int) {
	if errors.Is(err, syscall.EIO) {
		c.segments = false
	}
	source := m.OOB
	if len(m.Buffers) > 1 {
		source = source[:len(source)-syscall.CmsgSpace(sizeofSegmentSize)]
	}
	for i := range m.Buffers {
		part := []ipv4.Message{{Buffers: m.Buffers[i : i+1], OOB: source, Addr: m.Addr}}
		_, err := c.pc.WriteBatch(part, 0)
		if len(source) > 0 && (errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENETUNREACH)) {
			source, part[0].OOB = nil, nil
			_, err = c.pc.WriteBatch(part, 0)
		}
		if err != nil {
			c.refuse(m.Addr, err)
			failed++
		} else {
			sent++
		}
	}
	return sent, failed
}
