// Package capturetest builds files of captured packets byte by byte, for tests.
package capturetest

import (
	"encoding/binary"
	"net/netip"
	"time"
)

// Link types of files.
const (
	LinkNull     = 0
	LinkEthernet = 1
	LinkRaw      = 101
	LinkLoop     = 108
	LinkSLL      = 113
	LinkSLL2     = 276
)

// Start is the time of the first packet of a file. The others follow in steps
// of a second.
var Start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// PCAP returns a pcap file with the first snap bytes of each packet; 0 means no
// limit.
func PCAP(link uint32, snap int, packets ...[]byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, 0xa1b2c3d4)
	b = binary.LittleEndian.AppendUint16(b, 2)
	b = binary.LittleEndian.AppendUint16(b, 4)
	b = append(b, make([]byte, 8)...)
	b = binary.LittleEndian.AppendUint32(b, 1<<18)
	b = binary.LittleEndian.AppendUint32(b, link)
	for i, p := range packets {
		b = binary.LittleEndian.AppendUint32(b, uint32(Start.Unix())+uint32(i))
		b = binary.LittleEndian.AppendUint32(b, 0)
		kept := cut(p, snap)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(kept)))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(p)))
		b = append(b, kept...)
	}
	return b
}

// PCAPNG is like [PCAP], but returns a pcapng file.
func PCAPNG(link uint32, snap int, packets ...[]byte) []byte {
	b := append(Section(), Interface(link)...)
	for i, p := range packets {
		at := uint64(Start.UnixMicro()) + uint64(i)*1e6
		b = append(b, EnhancedPacket(0, at, len(p), cut(p, snap))...)
	}
	return b
}

func cut(p []byte, snap int) []byte {
	if snap > 0 && len(p) > snap {
		return p[:snap]
	}
	return p
}

// Block returns a block of pcapng, little-endian. The body is padded.
func Block(kind uint32, body ...byte) []byte {
	body = append(body, make([]byte, -len(body)&3)...)
	length := uint32(12 + len(body))
	b := binary.LittleEndian.AppendUint32(nil, kind)
	b = binary.LittleEndian.AppendUint32(b, length)
	b = append(b, body...)
	return binary.LittleEndian.AppendUint32(b, length)
}

// Section returns the block that starts a section.
func Section() []byte {
	body := []byte{0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0}
	return Block(0x0a0d0d0a, append(body, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)...)
}

// Interface returns the block of an interface. The unit of its times is a
// microsecond unless an option changes it.
func Interface(link uint32, options ...byte) []byte {
	body := []byte{byte(link), byte(link >> 8), 0, 0, 0, 0, 0, 0}
	return Block(1, append(body, options...)...)
}

// EnhancedPacket returns the block of a packet of size bytes whose first bytes, data,
// were captured.
func EnhancedPacket(face uint32, at uint64, size int, data []byte) []byte {
	body := binary.LittleEndian.AppendUint32(nil, face)
	body = binary.LittleEndian.AppendUint32(body, uint32(at>>32))
	body = binary.LittleEndian.AppendUint32(body, uint32(at))
	body = binary.LittleEndian.AppendUint32(body, uint32(len(data)))
	body = binary.LittleEndian.AppendUint32(body, uint32(size))
	return Block(6, append(body, data...)...)
}

// Ethernet returns a frame with any number of VLAN tags.
func Ethernet(packet []byte, tags ...uint16) []byte {
	b := []byte{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2}
	for _, tag := range tags {
		b = append(b, 0x81, 0, byte(tag>>8), byte(tag))
	}
	return append(binary.BigEndian.AppendUint16(b, EtherType(packet)), packet...)
}

// EtherType returns the EtherType of an IP packet.
func EtherType(packet []byte) uint16 {
	if packet[0]>>4 == 6 {
		return 0x86dd
	}
	return 0x0800
}

// The protocols of IP.
const (
	protoTCP = 6
	protoUDP = 17
)

// UDP returns an IP packet with a datagram.
func UDP(from, to netip.AddrPort, data []byte) []byte {
	return ip(from, to, protoUDP, udp(from, to, data))
}

func udp(from, to netip.AddrPort, data []byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, from.Port())
	b = binary.BigEndian.AppendUint16(b, to.Port())
	b = binary.BigEndian.AppendUint16(b, uint16(8+len(data)))
	return append(append(b, 0, 0), data...)
}

// A Segment is a TCP segment.
type Segment struct {
	Seq, Ack uint32 // an Ack of 0 means none
	Flags    byte   // FIN, SYN, RST
	Data     []byte
}

// Flags of a [Segment].
const (
	FIN = 0x01
	SYN = 0x02
	RST = 0x04
)

// TCP returns an IP packet with a segment.
func TCP(from, to netip.AddrPort, s Segment) []byte {
	if s.Ack != 0 {
		s.Flags |= 0x10
	}
	b := binary.BigEndian.AppendUint16(nil, from.Port())
	b = binary.BigEndian.AppendUint16(b, to.Port())
	b = binary.BigEndian.AppendUint32(b, s.Seq)
	b = binary.BigEndian.AppendUint32(b, s.Ack)
	b = append(b, 5<<4, s.Flags, 4, 0, 0, 0, 0, 0)
	return ip(from, to, protoTCP, append(b, s.Data...))
}

// ip returns a packet of either IP version.
func ip(from, to netip.AddrPort, proto byte, payload []byte) []byte {
	if from.Addr().Is6() {
		return IPv6(from.Addr(), to.Addr(), proto, payload)
	}
	return IPv4(from.Addr(), to.Addr(), proto, 0, 0, payload)
}

// IPv4 returns a packet. The lower 13 bits of fragment are its offset; the bit
// above them is set if more fragments follow.
func IPv4(from, to netip.Addr, proto byte, id, fragment uint16, payload []byte) []byte {
	b := []byte{0x45, 0}
	b = binary.BigEndian.AppendUint16(b, uint16(20+len(payload)))
	b = binary.BigEndian.AppendUint16(b, id)
	b = binary.BigEndian.AppendUint16(b, fragment)
	b = append(b, 64, proto, 0, 0)
	b = append(append(b, from.AsSlice()...), to.AsSlice()...)
	return append(b, payload...)
}

// IPv6 returns a packet.
func IPv6(from, to netip.Addr, proto byte, payload []byte) []byte {
	b := []byte{0x60, 0, 0, 0}
	b = binary.BigEndian.AppendUint16(b, uint16(len(payload)))
	b = append(b, proto, 64)
	b = append(append(b, from.AsSlice()...), to.AsSlice()...)
	return append(b, payload...)
}

// A Fragment is the start and the end of a part of a datagram, counted from its
// UDP header. An end of 0 means the end of the datagram.
type Fragment [2]int

// Fragments returns the packets of a datagram, one for each part.
func Fragments(from, to netip.AddrPort, id uint32, data []byte, parts ...Fragment) [][]byte {
	whole := udp(from, to, data)
	packets := make([][]byte, len(parts))
	for i, p := range parts {
		start, end, more := p[0], p[1], uint16(1)
		if end == 0 {
			end, more = len(whole), 0
		}
		piece := whole[start:end]
		if from.Addr().Is4() {
			packets[i] = IPv4(from.Addr(), to.Addr(), protoUDP, uint16(id), uint16(start/8)|more<<13, piece)
			continue
		}
		header := []byte{protoUDP, 0}
		header = binary.BigEndian.AppendUint16(header, uint16(start)|more)
		header = binary.BigEndian.AppendUint32(header, id)
		packets[i] = IPv6(from.Addr(), to.Addr(), 44, append(header, piece...))
	}
	return packets
}
