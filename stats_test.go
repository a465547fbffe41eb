package lobbywire_test

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// Stats of all servers say why a request has no answer.
func TestServerStatsGiveReasons(t *testing.T) {
	few := lobbywire.Rates{PerSource: 1}
	sqp := &sqpnet.Server{Limits: few}
	gamespy := &gamespy2net.Server{Challenge: gamespy2net.ChallengeRequired, Limits: gamespy2net.ServerLimits{Rates: few}}
	agent := &gameagentnet.Server{Limits: few}
	first := &gamespy1net.Server{Limits: few}
	for _, tt := range []struct {
		name   string
		server interface {
			Respond(from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool)
			Stats() lobbywire.ServerStats
		}
		answered, unverified, unsupported, foreign string
	}{
		{"sqp", sqp, "\x00\x00\x00\x00\x00", "\x01\x01\x02\x03\x04\x00\x01\x01",
			"\x01\x01\x02\x03\x04\x00\x63\x01", "\x01\x01"},
		{"gamespy2", gamespy, "\xfe\xfd\x09\x01\x02\x03\x04", "\xfe\xfd\x00\x01\x02\x03\x04\xff\xff\xff\x01",
			"\xfe\xfd\x63\x01\x02\x03\x04", "\xfe\xfc\x09"},
		{"gameagent", agent, "\x02", "", "\x01\x01\x02\x03\x04", "\xff"},
		{"gamespy1", first, `\status\`, "", `\secure\ABCDEF`, "\xff"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from := netip.MustParseAddrPort("192.0.2.1:5000")
			want := lobbywire.ServerStats{PacketStats: lobbywire.PacketStats{Unknown: 1, Sent: 1}, Unsupported: 1}
			requests := []string{tt.answered, tt.unsupported, tt.foreign}
			if tt.unverified != "" {
				requests, want.Unverified = append(requests, tt.unverified), 1
			}
			for range 50 { // more than a burst
				requests = append(requests, tt.answered)
			}
			for _, request := range requests {
				tt.server.Respond(from, []byte(request), nil)
			}
			got := tt.server.Stats()
			want.Received, want.Sent = uint64(len(requests)), got.Sent
			want.Limited = want.Received - got.Sent - want.Unknown - want.Unverified - want.Unsupported
			if diff := cmp.Diff(want, got); diff != "" || got.Sent == 0 || got.Limited == 0 {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
