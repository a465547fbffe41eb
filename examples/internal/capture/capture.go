// Package capture reads what was sent over UDP and TCP from files of captured
// packets, pcap and pcapng.
package capture

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/ip4defrag"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// A Sent is what one side sent to the other: a datagram of UDP, or all of its
// direction of a connection of TCP.
type Sent struct {
	At       time.Time // its first packet
	From, To netip.AddrPort
	Stream   bool // TCP
	Data     []byte

	// Lacks tells that packets of the connection were not captured. Data is
	// then what came before the first of them.
	Lacks bool
}

// Is tells whether b starts as a file of captured packets does.
func Is(b []byte) bool {
	if len(b) < 4 {
		return false
	}
	switch magic := [4]byte(b[:4]); magic {
	case [4]byte{0xa1, 0xb2, 0xc3, 0xd4}, [4]byte{0xd4, 0xc3, 0xb2, 0xa1}, // pcap, microseconds
		[4]byte{0xa1, 0xb2, 0x3c, 0x4d}, [4]byte{0x4d, 0x3c, 0xb2, 0xa1}, // pcap, nanoseconds
		[4]byte{0x0a, 0x0d, 0x0d, 0x0a}: // pcapng
		return true
	}
	return false
}

// source is a reader of one of the kinds of files.
type source interface {
	ReadPacketData() ([]byte, gopacket.CaptureInfo, error)
}

func open(b []byte) (s source, link func(i int) layers.LinkType, err error) {
	if bytes.HasPrefix(b, []byte{0x0a, 0x0d, 0x0d, 0x0a}) {
		options := pcapgo.DefaultNgReaderOptions
		options.WantMixedLinkType = true
		r, err := pcapgo.NewNgReader(bytes.NewReader(b), options)
		if err != nil {
			return nil, nil, err
		}
		return r, func(i int) layers.LinkType {
			face, err := r.Interface(i)
			if err != nil {
				return r.LinkType()
			}
			return face.LinkType
		}, nil
	}
	r, err := pcapgo.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, nil, err
	}
	return r, func(int) layers.LinkType { return r.LinkType() }, nil
}

// Read returns what was sent, by the time of its first packet. What is neither
// UDP nor TCP, or broken, is passed over. A file that ends within a packet is an
// error, with what came before.
func Read(b []byte) ([]Sent, error) {
	s, link, err := open(b)
	if err != nil {
		return nil, err
	}
	var all []Sent
	connections := newConnections()
	fragments := ip4defrag.NewIPv4Defragmenter()
	for n := 1; ; n++ {
		data, info, err := s.ReadPacketData()
		if err != nil {
			all = append(all, connections.end()...)
			slices.SortStableFunc(all, func(x, y Sent) int { return x.At.Compare(y.At) })
			if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				err = nil
			}
			if err != nil {
				err = fmt.Errorf("packet %d: %w", n, err)
			}
			return all, err
		}
		packet := gopacket.NewPacket(data, link(info.InterfaceIndex), gopacket.DecodeOptions{Lazy: true, NoCopy: true})
		network, transport, ok := whole(packet, fragments)
		if !ok {
			continue
		}
		switch t := transport.(type) {
		case *layers.UDP:
			from, to := addrs(network, uint16(t.SrcPort), uint16(t.DstPort))
			all = append(all, Sent{At: info.Timestamp, From: from, To: to, Data: bytes.Clone(t.Payload)})
		case *layers.TCP:
			connections.add(network, t, info)
		}
	}
}

// whole returns the layers of a packet that has both, also of one that the last
// of its fragments completes.
func whole(packet gopacket.Packet, fragments *ip4defrag.IPv4Defragmenter) (gopacket.Flow, gopacket.Layer, bool) {
	network := packet.NetworkLayer()
	if network == nil {
		return gopacket.Flow{}, nil, false
	}
	if ip, ok := network.(*layers.IPv4); ok && isFragment(ip) {
		joined, err := fragments.DefragIPv4(ip)
		if err != nil || joined == nil {
			return gopacket.Flow{}, nil, false
		}
		packet = gopacket.NewPacket(joined.Payload, joined.Protocol.LayerType(), gopacket.NoCopy)
	}
	transport := packet.TransportLayer()
	return network.NetworkFlow(), transport, transport != nil
}

func isFragment(ip *layers.IPv4) bool {
	return ip.Flags&layers.IPv4MoreFragments != 0 || ip.FragOffset != 0
}

// addrs returns the two ends of a packet.
func addrs(network gopacket.Flow, from, to uint16) (src, dst netip.AddrPort) {
	a, _ := netip.AddrFromSlice(network.Src().Raw())
	b, _ := netip.AddrFromSlice(network.Dst().Raw())
	return netip.AddrPortFrom(a, from), netip.AddrPortFrom(b, to)
}

// Between orders the ends of what was sent, so that both directions have the
// same key.
func (s Sent) Between() (a, b netip.AddrPort) {
	if cmp.Or(s.From.Addr().Compare(s.To.Addr()), cmp.Compare(s.From.Port(), s.To.Port())) > 0 {
		return s.To, s.From
	}
	return s.From, s.To
}
