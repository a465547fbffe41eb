package gamespy2net_test

import (
	"errors"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// If the full stat of Minecraft is too large for the network, the last attempt yields the
// basic one. Nothing else requests that.
func TestMinecraftBasicStatIsTheLastTry(t *testing.T) {
	const all, tooLarge = 1 << 16, 1400
	for _, tt := range []struct {
		name     string
		protocol gamespy2net.Protocol
		attempts int
		arrives  []int // the size that arrives in each attempt; the last one in all others

		basic    bool
		tried    int // attempts
		requests int // for the basic stat
	}{
		{"small enough", gamespy2net.ProtocolMinecraft, 0, []int{all}, false, 1, 0},
		{"lost once", gamespy2net.ProtocolMinecraft, 0, []int{tooLarge, all}, false, 2, 0},
		{"too large", gamespy2net.ProtocolMinecraft, 0, []int{tooLarge}, true, 4, 1},
		{"too large, two attempts", gamespy2net.ProtocolMinecraft, 2, []int{tooLarge}, true, 2, 1},
		{"too large, one attempt", gamespy2net.ProtocolMinecraft, 1, []int{tooLarge}, true, 1, 1},
		{"no stat at all", gamespy2net.ProtocolMinecraft, 2, []int{20}, false, 2, 1},
		{"another form", gamespy2net.ProtocolChallenge, 2, []int{tooLarge}, false, 2, 0},
		{"found form", gamespy2net.ProtocolAuto, 2, []int{tooLarge}, false, 2, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld()
				w.client.Protocol, w.client.Attempts = tt.protocol, tt.attempts
				w.serve(t, home, newMinecraftServer(t, gamespy2net.ChallengeRequired, 800), nil)
				var mu sync.Mutex
				ports, requests := map[netip.AddrPort]bool{}, 0
				w.Route = func(p nettest.Packet) []nettest.Packet {
					mu.Lock()
					defer mu.Unlock()
					if p.To == home {
						ports[p.From] = true
						if m, err := gamespy2.ParseStatRequest(p.Data); err == nil && !m.Full {
							requests++
						}
						return []nettest.Packet{p}
					}
					if len(p.Data) > tt.arrives[min(len(ports), len(tt.arrives))-1] {
						return nil
					}
					return []nettest.Packet{p}
				}
				check := func(name string, a gamespy2net.Answer, err error) {
					t.Helper()
					mu.Lock()
					defer mu.Unlock()
					isFull := len(a.Message.Players.Rows) == 800 && a.Basic == nil && !a.Partial
					isBasic := a.Basic != nil && a.Basic.MOTD == "Reef" && a.Partial
					v := a.View()
					switch {
					case a.Attempts != tt.tried || requests != tt.requests:
						t.Errorf("%s: %d attempts, %d requests for the basic stat, %v", name, a.Attempts, requests, err)
					case tt.arrives[len(tt.arrives)-1] == all && (err != nil || !isFull):
						t.Errorf("%s: not full: %+v, %v", name, a.Basic, err)
					case tt.basic && (err != nil || !isBasic || *v.Players != 800 || v.Port != 25565 || v.Roster != nil):
						t.Errorf("%s: not basic: %+v, %v", name, a, err)
					case tt.arrives[0] != all && len(tt.arrives) == 1 && !tt.basic && !errors.Is(err, lobbywire.ErrChallengeOnly):
						t.Errorf("%s: %v", name, err)
					}
					clear(ports)
					requests = 0
				}
				a, err := w.client.Query(t.Context(), home.String())
				check("query", a, err)
				for _, r := range w.client.Scan(t.Context(), slices.Values([]netip.AddrPort{home})) {
					check("scan", r.Answer, r.Err)
				}
				for r := range w.client.ScanViews(t.Context(), slices.Values([]netip.AddrPort{home})) {
					if _, isBasic := r.Answer.(gamespy2.BasicStat); isBasic != tt.basic {
						t.Errorf("the answer of ScanViews is a %T", r.Answer)
					}
				}
			})
		})
	}
}
