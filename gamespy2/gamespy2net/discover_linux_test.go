package gamespy2net_test

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// Discover sends to broadcast addresses, which scans do not.
func TestDiscoverSendsBroadcasts(t *testing.T) {
	pc, err := net.ListenPacket("udp4", "0.0.0.0:0")
	if err != nil {
		t.Skip(err)
	}
	var s gamespy2net.Server
	served := make(chan struct{})
	go func() {
		defer close(served)
		s.Serve(pc)
	}()
	defer func() {
		s.Close()
		<-served
	}()
	port := pc.LocalAddr().(*net.UDPAddr).AddrPort().Port()
	c := gamespy2net.Client{Timeout: time.Minute}
	for from, err := range c.Discover(t.Context(), netip.AddrPortFrom(netip.MustParseAddr("127.255.255.255"), port)) {
		if err != nil || from.Port() != port {
			t.Errorf("%v, %v", from, err)
		}
		return
	}
	t.Error("nobody answers")
}
