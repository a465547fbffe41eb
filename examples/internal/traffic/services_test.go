package traffic

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
)

// Every format of a service exists.
func TestServicesHaveFormats(t *testing.T) {
	for _, d := range Services() {
		for _, name := range slices.Concat(d.Requests, d.Answers) {
			if _, ok := formats.Named(name); !ok {
				t.Errorf("%s: %s is no format", d.Protocol, name)
			}
		}
	}
}

// A heartbeat of the first GameSpy protocol goes to the port of masters, which GameSpy 2 shares.
func TestHeartbeatAtASharedPortIsOfItsProtocol(t *testing.T) {
	server, master := netip.MustParseAddrPort("192.0.2.1:6500"), netip.MustParseAddrPort("192.0.2.2:27900")
	heartbeat := capture.Sent{From: server, To: master, Data: []byte(`\heartbeat\6500\gamename\serioussamse\`)}
	all := messagesOf(capture.File{Sent: []capture.Sent{heartbeat}})
	if len(all) != 1 || all[0].Format.Name != "gamespy1.ToMaster" {
		t.Errorf("got %v", all)
	}
}
