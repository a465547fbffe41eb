package capture

import (
	"encoding/binary"
	"fmt"
)

// A linkType is the format of the packets in a file.
type linkType uint16

// The link types that are read here. Function foreign reads some more.
const (
	linkNull     linkType = 0
	linkEthernet linkType = 1
	linkRawBSD   linkType = 12
	linkRawOther linkType = 14
	linkRaw      linkType = 101
	linkLoop     linkType = 108
	linkSLL      linkType = 113 // Linux, interface "any"
	linkIPv4     linkType = 228
	linkIPv6     linkType = 229
	linkSLL2     linkType = 276 // Linux, interface "any"
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

// ipOf returns the captured part of the IP packet in a record. If there is
// none, what is the kind of the packet.
func ipOf(rec record) (b []byte, what string) {
	b = rec.data
	switch rec.link {
	case linkRaw, linkRawBSD, linkRawOther, linkIPv4, linkIPv6, linkNull, linkLoop:
		if rec.link == linkNull || rec.link == linkLoop {
			b = behind(b, 4) // the version of IP follows from the packet
		}
		if len(b) == 0 {
			return nil, cutHeader("link")
		}
		return b, ""
	case linkEthernet:
		return etherPayload(b, 12)
	case linkSLL:
		return etherPayload(b, 14)
	case linkSLL2:
		if len(b) < 20 {
			return nil, cutHeader("link")
		}
		return typed(binary.BigEndian.Uint16(b), b[20:])
	}
	return foreign(rec)
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
