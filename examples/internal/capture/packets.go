package capture

import (
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// packetLinks are the link types that [ReadPackets] tries.
var packetLinks = []layers.LinkType{layers.LinkTypeRaw, layers.LinkTypeEthernet, layers.LinkTypeLinuxSLL2,
	layers.LinkTypeLinuxSLL, layers.LinkTypeNull}

// ReadPackets reads packets that have no file, for example from a dump. It finds the link
// type. It reports false if there is no link type by which all packets are UDP or TCP over IP.
func ReadPackets(packets [][]byte) (f File, ok bool) {
	for _, link := range packetLinks {
		if len(packets) > 0 && allCarry(link, packets) {
			var s Stack
			for _, b := range packets {
				s.add(frameOf(link, b))
			}
			return s.end(), true
		}
	}
	return File{}, false
}

// frameOf returns a whole packet as a frame.
func frameOf(link layers.LinkType, b []byte) Frame {
	return Frame{CaptureInfo: gopacket.CaptureInfo{Length: len(b), CaptureLength: len(b)}, Data: b,
		Interface: pcapgo.NgInterface{LinkType: link}}
}

// allCarry reports whether all packets carry UDP or TCP over IP, in frames of a link type.
func allCarry(link layers.LinkType, packets [][]byte) bool {
	for _, b := range packets {
		p, what := packetOf(frameOf(link, b))
		if what != "" || p.protocol != protocolUDP && p.protocol != protocolTCP || p.size > len(p.payload) {
			return false
		}
		if _, what := datagram(p); p.protocol == protocolUDP && !p.fragment.is && what != "" {
			return false
		}
	}
	return true
}
