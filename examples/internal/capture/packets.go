package capture

// packetLinks are the link types with which [ReadPackets] tries to read packets.
var packetLinks = []linkType{linkRaw, linkEthernet, linkSLL2, linkSLL, linkNull}

// ReadPackets reads packets that have no file, for example from a dump. It finds the link type
// and reports false if no link type has all of them as UDP and TCP over IP.
func ReadPackets(packets [][]byte) (f File, ok bool) {
	for _, link := range packetLinks {
		if len(packets) > 0 && allCarry(link, packets) {
			var r reader
			r.left = make(map[string]int)
			for _, b := range packets {
				r.read(record{link: link, size: len(b), data: b})
			}
			return r.end(), true
		}
	}
	return File{}, false
}

// allCarry reports whether all packets carry UDP or TCP over IP, in frames of a link type.
func allCarry(link linkType, packets [][]byte) bool {
	for _, b := range packets {
		p, what := packetOf(record{link: link, size: len(b), data: b})
		if what != "" || p.protocol != protocolUDP && p.protocol != protocolTCP || p.size > len(p.payload) {
			return false
		}
		if _, what := datagram(p); p.protocol == protocolUDP && !p.fragment.is && what != "" {
			return false
		}
	}
	return true
}
