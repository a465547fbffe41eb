package capture

import (
	"encoding/binary"
	"fmt"
	"net/netip"
)

// A protocol is the protocol of an IP packet's payload.
type protocol uint8

// Protocols, and the extension headers of IPv6.
const (
	protocolHopByHop    protocol = 0
	protocolICMP        protocol = 1
	protocolIGMP        protocol = 2
	protocolIPv4        protocol = 4
	protocolTCP         protocol = 6
	protocolUDP         protocol = 17
	protocolIPv6        protocol = 41
	protocolRouting     protocol = 43
	protocolFragment    protocol = 44
	protocolGRE         protocol = 47
	protocolESP         protocol = 50
	protocolAH          protocol = 51
	protocolICMPv6      protocol = 58
	protocolNone        protocol = 59
	protocolDestination protocol = 60
	protocolMobility    protocol = 135
)

func (p protocol) String() string {
	switch p {
	case protocolICMP:
		return "ICMP"
	case protocolIGMP:
		return "IGMP"
	case protocolIPv4, protocolIPv6:
		return "IP within IP"
	case protocolGRE:
		return "GRE"
	case protocolESP, protocolAH:
		return "IPsec"
	case protocolICMPv6:
		return "ICMPv6"
	case protocolNone:
		return "IPv6 packet without a payload"
	}
	return fmt.Sprintf("IP protocol %d", uint8(p))
}

// A packet is an IP packet without its headers.
type packet struct {
	src, dst netip.Addr
	protocol protocol // of the payload
	payload  []byte   // the captured part
	size     int      // of the payload as sent
	fragment fragment

	no, at int    // of the frame, and of the payload in it
	parts  []Part // of the payload, if it was in fragments
}

// behind returns p without the first n bytes of its payload, a header.
func (p packet) behind(n int) packet {
	p.parts = p.partsOf(n, len(p.payload))
	p.payload, p.size, p.at = p.payload[n:], p.size-n, p.at+n
	return p
}

// partsOf returns where a range of the payload was captured.
func (p packet) partsOf(start, end int) (all []Part) {
	if p.parts == nil {
		return []Part{{End: end - start, Frame: p.no, Offset: p.at + start}}
	}
	return cutParts(p.parts, start, end)
}

// cutParts returns the parts of data[start:end], given the parts of data.
func cutParts(parts []Part, start, end int) (all []Part) {
	for _, q := range parts {
		from, to := max(q.Start, start), min(q.End, end)
		if from < to {
			all = append(all, Part{Start: from - start, End: to - start, Frame: q.Frame, Offset: q.Offset + from - q.Start})
		}
	}
	return all
}

// A fragment describes which part of a datagram a packet is.
type fragment struct {
	is     bool
	more   bool // fragments follow
	id     uint32
	offset int
}

// packetOf returns the IP packet in a frame. If there is none, what is the
// kind of the frame's content.
func packetOf(f Frame) (p packet, what string) {
	b, what := ipOf(f)
	if what != "" {
		return packet{}, what
	}
	if len(b) == 0 {
		return packet{}, cutHeader("IP")
	}
	at := len(f.Data) - len(b)
	switch b[0] >> 4 {
	case 4:
		return ipv4(b, at, f.Length-len(f.Data))
	case 6:
		return ipv6(b, at)
	}
	return packet{}, "neither IPv4 nor IPv6"
}

// ipv4 reads a packet, which is at an offset in a frame. The last notCaptured bytes of the
// frame are not in b.
func ipv4(b []byte, at, notCaptured int) (p packet, what string) {
	const least = 20
	if len(b) < least {
		return packet{}, cutHeader("IPv4")
	}
	header := int(b[0]&0x0f) * 4
	size := int(binary.BigEndian.Uint16(b[2:]))
	if size == 0 {
		size = len(b) + notCaptured // the network card would have split it into segments
	}
	if header < least || size < header {
		return packet{}, "broken IPv4 header"
	}
	if len(b) < header {
		return packet{}, cutHeader("IPv4")
	}
	part := binary.BigEndian.Uint16(b[6:])
	offset := int(part&0x1fff) * 8
	more := part&0x2000 != 0
	return packet{
		src:      netip.AddrFrom4([4]byte(b[12:])),
		dst:      netip.AddrFrom4([4]byte(b[16:])),
		protocol: protocol(b[9]),
		payload:  b[header:min(size, len(b))],
		size:     size - header,
		at:       at + header,
		fragment: fragment{
			is: more || offset > 0, more: more, offset: offset,
			id: uint32(binary.BigEndian.Uint16(b[4:])),
		},
	}, ""
}

// ipv6 reads a packet, which is at an offset in a frame. Jumbograms, with a length of 0, are
// not supported.
func ipv6(b []byte, at int) (p packet, what string) {
	const header = 40
	if len(b) < header {
		return packet{}, cutHeader("IPv6")
	}
	size := int(binary.BigEndian.Uint16(b[4:]))
	if size == 0 {
		return packet{}, "IPv6 packet of length 0"
	}
	p = packet{
		src:      netip.AddrFrom16([16]byte(b[8:])),
		dst:      netip.AddrFrom16([16]byte(b[24:])),
		protocol: protocol(b[6]),
		payload:  b[header:min(header+size, len(b))],
		size:     size,
		at:       at + header,
	}
	return p.behindExtensions()
}

// behindExtensions returns p without the extension headers at the start of its
// payload, up to a fragment header of an actual fragment.
func (p packet) behindExtensions() (packet, string) {
	const (
		least       = 8
		unit        = 8
		unitOfAH    = 4
		fragmentBit = 1
	)
	for {
		size := least
		switch p.protocol {
		case protocolHopByHop, protocolRouting, protocolDestination, protocolMobility:
			if len(p.payload) >= 2 {
				size += int(p.payload[1]) * unit
			}
		case protocolAH:
			if len(p.payload) >= 2 {
				size += int(p.payload[1]) * unitOfAH
			}
		case protocolFragment:
		default:
			return p, ""
		}
		if size > p.size {
			return packet{}, "broken IPv6 extension header"
		}
		if size > len(p.payload) {
			return packet{}, cutHeader("IPv6 extension")
		}
		if p.protocol == protocolFragment {
			part := binary.BigEndian.Uint16(p.payload[2:])
			p.fragment = fragment{
				more: part&fragmentBit != 0, offset: int(part &^ 7),
				id: binary.BigEndian.Uint32(p.payload[4:]),
			}
			p.fragment.is = p.fragment.more || p.fragment.offset > 0
		}
		p.protocol = protocol(p.payload[0])
		p = p.behind(size)
		if p.fragment.is {
			return p, ""
		}
	}
}

// datagram returns the UDP datagram in a packet.
func datagram(p packet) (s Sent, what string) {
	const header = 8
	switch {
	case p.size < header:
		return Sent{}, "broken UDP header"
	case len(p.payload) < header:
		return Sent{}, cutHeader("UDP")
	}
	size := int(binary.BigEndian.Uint16(p.payload[4:]))
	if size < header || size > p.size {
		return Sent{}, "broken UDP header"
	}
	data := p.payload[header:min(size, len(p.payload))]
	return Sent{
		From:    netip.AddrPortFrom(p.src, binary.BigEndian.Uint16(p.payload)),
		To:      netip.AddrPortFrom(p.dst, binary.BigEndian.Uint16(p.payload[2:])),
		Data:    data[:len(data):len(data)],
		Missing: size - header - len(data),
		Parts:   p.partsOf(header, header+len(data)),
	}, ""
}
