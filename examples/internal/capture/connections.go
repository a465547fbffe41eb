package capture

import (
	"net/netip"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/reassembly"
)

// connections put the segments of TCP in order.
type connections struct {
	pool      *reassembly.StreamPool
	assembler *reassembly.Assembler
	all       []*connection
}

func newConnections() *connections {
	c := new(connections)
	c.pool = reassembly.NewStreamPool(c)
	c.assembler = reassembly.NewAssembler(c.pool)
	return c
}

// New is called for the first segment of each connection.
func (c *connections) New(network, transport gopacket.Flow, tcp *layers.TCP, _ reassembly.AssemblerContext) reassembly.Stream {
	from, to := addrs(network, uint16(tcp.SrcPort), uint16(tcp.DstPort))
	connection := &connection{from: from, to: to}
	c.all = append(c.all, connection)
	return connection
}

func (c *connections) add(network gopacket.Flow, tcp *layers.TCP, info gopacket.CaptureInfo) {
	c.assembler.AssembleWithContext(network, tcp, captured(info))
}

// end returns both directions of each connection, as far as they have any bytes.
func (c *connections) end() []Sent {
	c.assembler.FlushAll()
	var all []Sent
	for _, connection := range c.all {
		for _, s := range connection.sides {
			if len(s.Data) > 0 {
				all = append(all, s)
			}
		}
	}
	return all
}

// captured is when a segment came.
type captured gopacket.CaptureInfo

// GetCaptureInfo returns it.
func (c captured) GetCaptureInfo() gopacket.CaptureInfo { return gopacket.CaptureInfo(c) }

// A connection is two directions: that of the first segment, and back.
type connection struct {
	from, to netip.AddrPort
	sides    [2]Sent
}

// Accept takes every segment, also of a connection the start of which was not
// captured.
func (c *connection) Accept(_ *layers.TCP, _ gopacket.CaptureInfo, _ reassembly.TCPFlowDirection, _ reassembly.Sequence, start *bool, _ reassembly.AssemblerContext) bool {
	*start = true
	return true
}

// ReassembledSG takes the next bytes of a direction.
func (c *connection) ReassembledSG(sg reassembly.ScatterGather, _ reassembly.AssemblerContext) {
	direction, _, _, skipped := sg.Info()
	length, _ := sg.Lengths()
	s := &c.sides[0]
	from, to := c.from, c.to
	if direction == reassembly.TCPDirServerToClient {
		s = &c.sides[1]
		from, to = to, from
	}
	if len(s.Data) == 0 {
		*s = Sent{At: sg.CaptureInfo(0).Timestamp, From: from, To: to, Stream: true}
	} else if skipped != 0 {
		s.Lacks = true
	}
	if !s.Lacks {
		s.Data = append(s.Data, sg.Fetch(length)...)
	}
}

// ReassemblyComplete leaves the connection in the pool, as segments that come
// late do not make a new one.
func (c *connection) ReassemblyComplete(reassembly.AssemblerContext) bool { return false }
