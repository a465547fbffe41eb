package capture

import (
	"bytes"
	"fmt"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// foreign returns the end of a frame from the start of an IP packet. Gopacket reads the link.
func foreign(f Frame) ([]byte, string) {
	link := f.Interface.LinkType
	name := fmt.Sprintf("link type %d", link)
	if link >= layers.LinkTypeMax || layers.LinkTypeMetadata[link].DecodeWith == nil {
		return nil, name
	}
	packet := gopacket.NewPacket(f.Data, link, gopacket.DecodeOptions{Lazy: true, NoCopy: true})
	network := packet.NetworkLayer()
	if network == nil || packet.ErrorLayer() != nil {
		return nil, name + " without IP"
	}
	at := bytes.Index(f.Data, network.LayerContents())
	if at < 0 {
		return nil, name + " with changed headers"
	}
	return f.Data[at:], ""
}
