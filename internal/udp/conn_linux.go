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
	return newConn(pc, maxDatagram, clientBatch, countDrops)
}

// newServerConn returns a Conn of pc for a server, which batches and answers from the
// addresses of requests if pc is a UDP socket. It does not count drops, which takes the
// system time.
func newServerConn(pc net.PacketConn, maxDatagram int) Conn {
	return newConn(pc, maxDatagram, batchSize, reportLocal)
}

// newConn returns a Conn of pc that reads a number of datagrams at a time, if pc is a UDP
// socket. The function report makes a socket add control messages to datagrams, and
// returns their size.
func newConn(pc net.PacketConn, maxDatagram, reads int, report func(*net.UDPConn) (size int)) Conn {
	c, ok := pc.(*net.UDPConn)
	if !ok {
		return newSingle(pc, maxDatagram)
	}
	// Despite its name, this batches datagrams of both address families.
	b := &batch{pc: ipv4.NewPacketConn(c), buffers: &buffers{
		in:       make([]ipv4.Message, reads),
		out:      make([]ipv4.Message, batchSize),
		addrs:    make([]net.UDPAddr, batchSize),
		controls: make([][maxControl]byte, batchSize),
	}, bound: boundTo(c), segments: canSegment(c)}
	control := report(c)
	memory := make([]byte, reads*(maxDatagram+1+control))
	take := func(n int) (taken []byte) {
		taken, memory = memory[:n:n], memory[n:]
		return taken
	}
	for i := range b.in {
		b.in[i].Buffers = [][]byte{take(maxDatagram + 1)}
		if control > 0 {
			b.in[i].OOB = take(control)
		}
	}
	for i := range b.out {
		b.out[i].Buffers = make([][]byte, 1)
	}
	return b
}

// soRxqOvfl is SO_RXQ_OVFL of socket(7): each datagram carries the number of
// datagrams dropped before it because the buffer was full.
const soRxqOvfl = 40

// countDrops makes a socket count, and returns the size of the control message, or 0.
func countDrops(c *net.UDPConn) (size int) {
	err := control(c, func(fd int) error {
		return syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, soRxqOvfl, 1)
	})
	if err != nil {
		return 0
	}
	return syscall.CmsgSpace(4)
}

// batch is a Conn that reads and sends many datagrams with one system call.
type batch struct {
	pc *ipv4.PacketConn
	*buffers
	full    bool   // the last read filled all that it could
	dropped uint32 // as the kernel counts, which wraps
	total   uint64

	bound    netip.Addr // the only local address; not valid if there are several
	segments bool       // one message may hold several datagrams

	refused func(to netip.AddrPort, err error) // may be nil
}

// buffers are the memory of a batch and of the batches beside it.
type buffers struct {
	in       []ipv4.Message
	out      []ipv4.Message
	addrs    []net.UDPAddr      // of out
	controls [][maxControl]byte // of out
	queued   int                // of out
	sender   *batch             // of the queued messages
}

func (c *batch) Beside(pc net.PacketConn) Conn {
	u, ok := pc.(*net.UDPConn)
	if !ok {
		return newSingle(pc, len(c.in[0].Buffers[0])-1)
	}
	if c.in[0].OOB != nil {
		countDrops(u)
	}
	return &batch{pc: ipv4.NewPacketConn(u), buffers: c.buffers, bound: boundTo(u), segments: canSegment(u)}
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

// noteDrops reads the counter in control messages.
func (c *batch) noteDrops(control []byte) {
	counter := findControl(control, syscall.SOL_SOCKET, soRxqOvfl, 4)
	if counter == nil {
		return
	}
	count := binary.NativeEndian.Uint32(counter)
	c.total += uint64(count - c.dropped)
	c.dropped = count
}

func (c *batch) Packet(i int) (netip.AddrPort, []byte, bool) {
	m := &c.in[i]
	b := m.Buffers[0]
	return AddrPort(m.Addr), b[:m.N], m.N < len(b)
}

func (c *batch) Local(i int) netip.Addr {
	if c.bound.IsValid() {
		return c.bound
	}
	m := &c.in[i]
	return localAddr(m.OOB[:m.NN])
}

func (c *batch) Full() bool { return c.full }

// makeRoom sends the queued messages if they fill out or are from another socket.
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
	var source netip.Addr
	if !c.bound.IsValid() {
		source = c.Local(i)
	}
	for len(b) > 0 {
		n := 1
		if c.segments {
			n = equalParts(b)
		}
		s, f := c.makeRoom()
		sent += s
		failed += f
		c.queue(source, c.in[i].Addr, b[:n])
		b = b[n:]
	}
	return sent, failed
}

// queue adds a message of one datagram, or of several for the kernel to cut. The kernel
// chooses the source if it is not valid.
func (c *batch) queue(source netip.Addr, to net.Addr, parts [][]byte) {
	m := &c.out[c.queued]
	m.Buffers = m.Buffers[:cap(m.Buffers)] // buffers of earlier messages keep their memory
	m.Buffers = slices.Grow(m.Buffers, max(len(parts)-len(m.Buffers), 0))[:len(parts)]
	for j := range parts {
		m.Buffers[j], parts[j] = parts[j], m.Buffers[j]
	}
	m.OOB = c.controls[c.queued][:0]
	if source.IsValid() {
		m.OOB = appendSource(m.OOB, source)
	}
	if len(parts) > 1 {
		m.OOB = appendSegmentSize(m.OOB, len(m.Buffers[0]))
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
		if len(ms[0].OOB) > 0 {
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
