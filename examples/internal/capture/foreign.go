//go:build !js

package capture

import (
	"fmt"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// foreign returns the IP packet in a record of another link type, which gopacket reads.
func foreign(rec record) ([]byte, string) {
	link := layers.LinkType(rec.link)
	name := fmt.Sprintf("link type %d", rec.link)
	if link >= layers.LinkTypeMax || layers.LinkTypeMetadata[link].DecodeWith == nil {
		return nil, name
	}
	packet := gopacket.NewPacket(rec.data, link, gopacket.DecodeOptions{Lazy: true, NoCopy: true})
	network := packet.NetworkLayer()
	if network == nil || packet.ErrorLayer() != nil {
		return nil, name + " without IP"
	}
	if six, ok := network.(*layers.IPv6); ok && six.HopByHop != nil {
		return nil, name + " with hop-by-hop options" // which are in neither part
	}
	contents, payload := network.LayerContents(), network.LayerPayload()
	return append(contents[:len(contents):len(contents)], payload...), ""
}
