package udp

import (
	"net"
	"net/netip"
)

// MaxDatagram is the size of the largest payload of UDP: 65527 bytes over IPv6, 65507 over
// IPv4.
const MaxDatagram = 65527

// How many datagrams one system call reads or writes.
const (
	batchSize = 64

	// clientBatch is for the reads of clients. They have several sockets with few datagrams
	// each, and room for each datagram takes time and memory.
	clientBatch = 16
)

// A Conn reads and sends datagrams, in batches where the system can. One
// goroutine may read while another sends.
type Conn interface {
	// Read waits for datagrams and returns how many it has read.
	Read() (int, error)

	// Packet returns datagram i of the last Read. If it is too long, ok is false.
	Packet(i int) (from netip.AddrPort, b []byte, ok bool)

	// Local returns the local address at which datagram i of the last Read arrived, which
	// is not valid if it is unknown. Only Conns of servers know it on sockets that are
	// bound to all addresses.
	Local(i int) netip.Addr

	// Full reports whether the last Read may have left datagrams unread.
	Full() bool

	// Send copies a datagram and sends it now or with Flush. Both return how many
	// datagrams were sent and how many the system refused.
	Send(to netip.AddrPort, b []byte) (sent, failed int)
	Flush() (sent, failed int)

	// OnRefusal sets a function that Send and Flush call for each datagram of Send
	// that the system refuses to send.
	OnRefusal(refused func(to netip.AddrPort, err error))

	// Answer is Send of some datagrams to the source of datagram i of the last Read, from
	// the address at which that arrived. It makes no copy: it keeps the elements of b and
	// replaces them by memory for others.
	Answer(i int, b [][]byte) (sent, failed int)

	// Beside returns a Conn of another socket. Both use the same memory, so they must not
	// read at the same time, and a datagram is valid until the next Read of either Conn.
	Beside(pc net.PacketConn) Conn

	// Dropped returns the number of datagrams that the system dropped before the last
	// Read because its buffer was full, if the system reports them.
	Dropped() uint64
}

// single is a Conn that reads and sends one datagram at a time, for any connection.
type single struct {
	pc   net.PacketConn
	buf  []byte // one byte longer than a datagram may be
	n    int
	addr net.Addr

	bound   netip.Addr   // the only local address; not valid if there are several
	reports *net.UDPConn // pc if it reports local addresses in control messages, or nil
	control []byte       // of a read
	local   netip.Addr   // of the last read

	refused func(to netip.AddrPort, err error) // may be nil
}

func newSingle(pc net.PacketConn, maxDatagram int) *single {
	return &single{pc: pc, buf: make([]byte, maxDatagram+1), bound: boundTo(pc)}
}

// newSingleServer returns a single that knows the local addresses of datagrams, if the
// system reports them.
func newSingleServer(pc net.PacketConn, maxDatagram int) *single {
	c := newSingle(pc, maxDatagram)
	if u, ok := pc.(*net.UDPConn); ok {
		if size := reportLocal(u); size > 0 {
			c.reports, c.control = u, make([]byte, size)
		}
	}
	return c
}

func (c *single) Read() (int, error) {
	c.local = c.bound
	var err error
	if c.reports == nil {
		c.n, c.addr, err = c.pc.ReadFrom(c.buf)
	} else {
		var size int
		c.n, size, _, c.addr, err = c.reports.ReadMsgUDP(c.buf, c.control)
		if err == nil {
			c.local = localAddr(c.control[:size])
		}
	}
	if err != nil {
		return 0, err
	}
	return 1, nil
}

func (c *single) Local(int) netip.Addr { return c.local }

func (c *single) Packet(int) (netip.AddrPort, []byte, bool) {
	return AddrPort(c.addr), c.buf[:c.n], c.n < len(c.buf)
}

func (c *single) Full() bool { return true }

func (c *single) Send(to netip.AddrPort, b []byte) (sent, failed int) {
	if _, err := c.pc.WriteTo(b, net.UDPAddrFromAddrPort(to)); err != nil {
		if c.refused != nil {
			c.refused(to, err)
		}
		return 0, 1
	}
	return 1, 0
}

func (c *single) OnRefusal(refused func(to netip.AddrPort, err error)) { c.refused = refused }

func (c *single) Answer(_ int, b [][]byte) (sent, failed int) {
	for _, datagram := range b {
		if err := sendFrom(c.pc, c.local, c.addr, datagram); err != nil {
			failed++
		} else {
			sent++
		}
	}
	return sent, failed
}

func (c *single) Beside(pc net.PacketConn) Conn { return &single{pc: pc, buf: c.buf} }

func (c *single) Flush() (sent, failed int) { return 0, 0 }

func (c *single) Dropped() uint64 { return 0 }
