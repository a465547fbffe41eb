package main

import (
	"encoding/binary"
	"net"
	"unsafe"

	"golang.org/x/net/ipv4"
	"golang.org/x/sys/unix"
)

// segments returns one message that the kernel cuts into the datagrams (UDP_SEGMENT) if they
// have one size, except the last, which may be shorter. Otherwise it returns a message for
// each.
func segments(answer [][]byte) []ipv4.Message {
	last := len(answer) - 1
	size := len(answer[0])
	for i, b := range answer {
		if len(b) > size || len(b) < size && i < last {
			return datagrams(answer)
		}
	}
	if last == 0 {
		return datagrams(answer)
	}
	oob := make([]byte, unix.CmsgSpace(2))
	h := unix.Cmsghdr{Level: unix.IPPROTO_UDP, Type: unix.UDP_SEGMENT}
	h.SetLen(unix.CmsgLen(2))
	n, err := binary.Encode(oob, binary.NativeEndian, h)
	if err != nil {
		panic(err)
	}
	binary.NativeEndian.PutUint16(oob[n:], uint16(size))
	return []ipv4.Message{{Buffers: answer, OOB: oob}}
}

// An mmsghdr is the argument of recvmmsg(2) and sendmmsg(2).
type mmsghdr struct {
	unix.Msghdr
	len uint32
}

// serveRaw answers with messages of one buffer.
func serveRaw(conn *net.UDPConn, byLength [maxRequest + 1][]ipv4.Message) error {
	c, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var (
		in, out  [batchSize]mmsghdr
		requests [batchSize][maxRequest]byte
		sources  [batchSize]unix.RawSockaddrInet4
		into     [batchSize]unix.Iovec
		answers  [maxRequest + 1][]unix.Iovec
	)
	for n, ms := range byLength {
		for _, m := range ms {
			v := unix.Iovec{Base: &m.Buffers[0][0]}
			v.SetLen(len(m.Buffers[0]))
			answers[n] = append(answers[n], v)
		}
	}
	for i := range in {
		into[i].Base = &requests[i][0]
		into[i].SetLen(maxRequest)
		in[i].Iov = &into[i]
		in[i].Name = (*byte)(unsafe.Pointer(&sources[i]))
		in[i].Namelen = unix.SizeofSockaddrInet4
		for _, h := range []*mmsghdr{&in[i], &out[i]} {
			h.SetIovlen(1)
		}
	}
	read, write := newBatchCall(c.Read, unix.SYS_RECVMMSG), newBatchCall(c.Write, unix.SYS_SENDMMSG)
	for {
		n, err := read.some(in[:])
		if err != nil {
			return err
		}
		ready := 0
		for i := range in[:n] {
			for j := range answers[in[i].len] {
				if ready == len(out) {
					if err := write.all(out[:]); err != nil {
						return err
					}
					ready = 0
				}
				out[ready].Iov = &answers[in[i].len][j]
				out[ready].Name, out[ready].Namelen = in[i].Name, in[i].Namelen
				ready++
			}
		}
		if err := write.all(out[:ready]); err != nil {
			return err
		}
	}
}

// A batchCall calls recvmmsg or sendmmsg when the socket is ready.
type batchCall struct {
	wait  func(call func(fd uintptr) bool) error
	trap  uintptr
	call  func(fd uintptr) bool
	ms    []mmsghdr
	n     int // messages received or sent
	errno unix.Errno
}

func newBatchCall(wait func(call func(fd uintptr) bool) error, trap uintptr) *batchCall {
	c := &batchCall{wait: wait, trap: trap}
	c.call = c.try // made once, because it takes memory
	return c
}

// try reports whether the socket was ready.
func (c *batchCall) try(fd uintptr) bool {
	n, _, errno := unix.Syscall6(c.trap, fd, uintptr(unsafe.Pointer(&c.ms[0])), uintptr(len(c.ms)),
		unix.MSG_DONTWAIT, 0, 0)
	c.n, c.errno = int(n), errno
	return errno != unix.EAGAIN
}

// some receives or sends at least one of the messages, and returns how many.
func (c *batchCall) some(ms []mmsghdr) (int, error) {
	c.ms = ms
	if err := c.wait(c.call); err != nil {
		return 0, err
	}
	if c.errno != 0 {
		return 0, c.errno
	}
	return c.n, nil
}

// all sends all messages.
func (c *batchCall) all(ms []mmsghdr) error {
	for len(ms) > 0 {
		n, err := c.some(ms)
		if err != nil {
			return err
		}
		ms = ms[n:]
	}
	return nil
}
