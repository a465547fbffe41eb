package capture

import (
	"encoding/binary"
	"fmt"

	"github.com/gopacket/gopacket/layers"
)

// Link types that gopacket does not name, for raw IP.
const (
	linkRawBSD   layers.LinkType = 12
	linkRawOther layers.LinkType = 14
)

// Values of EtherType.
const (
	etherIPv4  = 0x0800
	etherARP   = 0x0806
	etherVLAN  = 0x8100
	etherIPv6  = 0x86dd
	etherPPPoE = 0x8864
	etherQinQ  = 0x88a8 // an outer VLAN tag
	etherQinQ1 = 0x9100 // the same, before it was standardized
	etherLLDP  = 0x88cc
	etherLeast = 0x0600 // lower values are the length of an IEEE 802.3 frame
)

// ipOf returns the end of a frame from the start of an IP packet. If there is
// none, what is the kind of the frame. Function foreign reads the less usual links.
func ipOf(f Frame) (b []byte, what string) {
	b = f.Data
	switch link := f.Interface.LinkType; link {
	case layers.LinkTypeRaw, linkRawBSD, linkRawOther, layers.LinkTypeIPv4, layers.LinkTypeIPv6, layers.LinkTypeNull,
		layers.LinkTypeLoop:
		if link == layers.LinkTypeNull || link == layers.LinkTypeLoop {
			b = behind(b, 4) // the version of IP follows from the packet
		}
		if len(b) == 0 {
			return nil, cutHeader("link")
		}
		return b, ""
	case layers.LinkTypeEthernet:
		return etherPayload(b, 12)
	case layers.LinkTypeLinuxSLL: // interface "any"
		return etherPayload(b, 14)
	case layers.LinkTypeLinuxSLL2:
		if len(b) < 20 {
			return nil, cutHeader("link")
		}
		return typed(binary.BigEndian.Uint16(b), b[20:])
	}
	return foreign(f)
}

// behind returns b without its first n bytes.
func behind(b []byte, n int) []byte { return b[min(n, len(b)):] }

// cutHeader names packets that were cut within a header.
func cutHeader(of string) string { return "cut within the " + of + " header" }

// etherPayload returns the payload of a header that ends with an EtherType.
func etherPayload(b []byte, at int) ([]byte, string) {
	if len(b) < at+2 {
		return nil, cutHeader("link")
	}
	return typed(binary.BigEndian.Uint16(b[at:]), b[at+2:])
}

// typed returns the IP packet in b, the payload for an EtherType, after any
// number of VLAN tags.
func typed(kind uint16, b []byte) ([]byte, string) {
	for kind == etherVLAN || kind == etherQinQ || kind == etherQinQ1 {
		if len(b) < 4 {
			return nil, cutHeader("VLAN")
		}
		kind, b = binary.BigEndian.Uint16(b[2:]), b[4:]
	}
	switch {
	case kind == etherIPv4, kind == etherIPv6:
		return b, ""
	case kind == etherPPPoE:
		return pppoe(b)
	case kind == etherARP:
		return nil, "ARP"
	case kind == etherLLDP:
		return nil, "LLDP"
	case kind < etherLeast:
		return nil, "802.3 frame without an EtherType"
	}
	return nil, fmt.Sprintf("EtherType %#04x", kind)
}

// pppoe returns the IP packet in a packet of a PPPoE session: six bytes, then
// the PPP protocol.
func pppoe(b []byte) ([]byte, string) {
	const ipv4, ipv6 = 0x0021, 0x0057
	if len(b) < 8 {
		return nil, cutHeader("PPPoE")
	}
	if kind := binary.BigEndian.Uint16(b[6:]); kind != ipv4 && kind != ipv6 {
		return nil, fmt.Sprintf("PPP protocol %#04x", kind)
	}
	return b[8:], ""
}
