package udp

import (
	"encoding/binary"
	"net"
	"net/netip"
	"slices"
	"syscall"

	"golang.org/x/net/ipv4"
)

// NewConn returns a Conn of pc for a client, which batches and counts drops if pc is a
// UDP socket.
func NewConn(pc net.PacketConn, maxDatagram int) Conn {
	c := newConn(pc, maxDatagram, clientBatch)
	if b, ok := c.(*batch); ok && countDrops(pc.(*net.UDPConn)) {
		for i := range b.in {
			b.in[i].OOB = make([]byte, syscall.CmsgSpace(4))
		}
	}
	return c
}

// newConn returns a Conn of pc that reads a number of datagrams at a time, if pc is a UDP
// socket. It does not count drops, which takes the system time.
func newConn(pc net.PacketConn, maxDatagram, reads int) Conn {
	c, ok := pc.(*net.UDPConn)
	if !ok {
		return newSingle(pc, maxDatagram)
	}
	// Despite its name, this batches datagrams of both address families.
	b := &batch{pc: ipv4.NewPacketConn(c), buffers: &buffers{
		in:    make([]ipv4.Message, reads),
		out:   make([]ipv4.Message, batchSize),
		addrs: make([]net.UDPAddr, batchSize),
		sizes: make([]segmentSize, batchSize),
	}, segments: canSegment(c)}
	memory := make([]byte, reads*(maxDatagram+1))
	for i := range b.in {
		b.in[i].Buffers = [][]byte{memory[:maxDatagram+1]}
		memory = memory[maxDatagram+1:]
	}
	for i := range b.out {
		b.out[i].Buffers = make([][]byte, 1)
	}
	return b
}

// soRxqOvfl is SO_RXQ_OVFL of socket(7): each datagram carries the number of
// datagrams dropped before it because the buffer was full.
const soRxqOvfl = 40

func countDrops(c *net.UDPConn) bool {
	return control(c, func(fd int) error {
		return syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, soRxqOvfl, 1)
	}) == nil
}

// batch is a Conn that reads and sends many datagrams with one system call.
type batch struct {
	pc *ipv4.PacketConn
	*buffers
	full    bool   // the last read filled all that it could
	dropped uint32 // as the kernel counts, which wraps
	total   uint64

	segments bool // one message may hold several datagrams

	refused func(to netip.AddrPort, err error) // may be nil
}

// buffers are the memory of a batch and of those beside it.
type buffers struct {
	in     []ipv4.Message
	out    []ipv4.Message
	addrs  []net.UDPAddr // of out
	sizes  []segmentSize // of out
	queued int           // of out
	sender *batch        // of what is queued
}

func (c *batch) Beside(pc net.PacketConn) Conn {
	u, ok := pc.(*net.UDPConn)
	if !ok {
		return newSingle(pc, len(c.in[0].Buffers[0])-1)
	}
	if c.in[0].OOB != nil {
		countDrops(u)
	}
	return &batch{pc: ipv4.NewPacketConn(u), buffers: c.buffers, segments: canSegment(u)}
}

func (c *batch) Read() (int, error) { return c.read(c.in, 0) }

func (c *batch) read(in []ipv4.Message, flags int) (n int, err error) {
	n, err = c.pc.ReadBatch(in, flags)
	if n > 0 {
		last := &in[n-1]
		c.noteDrops(last.OOB[:last.NN])
	}
	c.full = n == len(in)
	return n, err
}

// noteDrops reads the counter in a control message.
func (c *batch) noteDrops(oob []byte) {
	const header = syscall.SizeofCmsghdr
	if len(oob) < header+4 {
		return
	}
	count := binary.NativeEndian.Uint32(oob[header:])
	c.total += uint64(count - c.dropped)
	c.dropped = count
}

func (c *batch) Packet(i int) (netip.AddrPort, []byte, bool) {
	m := &c.in[i]
	b := m.Buffers[0]
	return AddrPort(m.Addr), b[:m.N], m.N < len(b)
}

func (c *batch) Full() bool { return c.full }

// makeRoom sends what is queued if it fills out or is from another socket.
func (c *batch) makeRoom() (sent, failed int) {
	if c.queued == len(c.out) || c.queued > 0 && c.sender != c {
		sent, failed = c.sender.Flush()
	}
	c.sender = c
	return sent, failed
}

func (c *batch) Send(to netip.AddrPort, b []byte) (sent, failed int) {
	sent, failed = c.makeRoom()
	m, addr := &c.out[c.queued], &c.addrs[c.queued]
	m.Buffers = m.Buffers[:1]
	m.Buffers[0] = append(m.Buffers[0][:0], b...)
	m.OOB = nil
	m.Addr = addr
	ip := to.Addr().As16()
	addr.IP = append(addr.IP[:0], ip[:]...)
	addr.Port = int(to.Port())
	addr.Zone = to.Addr().Zone()
	c.queued++
	return sent, failed
}

func (c *batch) Answer(i int, b [][]byte) (sent, failed int) {
	for len(b) > 0 {
		n := 1
		if c.segments {
			n = equalParts(b)
		}
		s, f := c.makeRoom()
		sent += s
		failed += f
		c.queue(c.in[i].Addr, b[:n])
		b = b[n:]
	}
	return sent, failed
}

// queue adds a message of one datagram, or of several for the kernel to cut.
func (c *batch) queue(to net.Addr, parts [][]byte) {
	m := &c.out[c.queued]
	m.Buffers = m.Buffers[:cap(m.Buffers)] // those of earlier messages keep their memory
	m.Buffers = slices.Grow(m.Buffers, max(len(parts)-len(m.Buffers), 0))[:len(parts)]
	for j := range parts {
		m.Buffers[j], parts[j] = parts[j], m.Buffers[j]
	}
	m.OOB = nil
	if len(parts) > 1 {
		m.OOB = c.sizes[c.queued].set(len(m.Buffers[0]))
	}
	m.Addr = to
	c.queued++
}

func (c *batch) Flush() (sent, failed int) {
	if c.sender != c {
		return 0, 0
	}
	ms := c.out[:c.queued]
	c.queued = 0
	for len(ms) > 0 {
		n, err := c.pc.WriteBatch(ms, 0)
		n = max(n, 0)
		for i := range ms[:n] {
			sent += len(ms[i].Buffers)
		}
		ms = ms[n:]
		if err == nil || len(ms) == 0 {
			continue
		}
		// The first of the rest is refused; the others may not be.
		if len(ms[0].Buffers) > 1 {
			s, f := c.sendParts(&ms[0], err)
			sent += s
			failed += f
		} else {
			c.refuse(ms[0].Addr, err)
			failed++
		}
		ms = ms[1:]
	}
	return sent, failed
}

// refuse reports a datagram that the system refuses to send.
func (c *batch) refuse(to net.Addr, err error) {
	if c.refused != nil {
		c.refused(AddrPort(to), err)
	}
}

func (c *batch) OnRefusal(refused func(to netip.AddrPort, err error)) { c.refused = refused }

func (c *batch) Dropped() uint64 { return c.total }
