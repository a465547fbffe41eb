package gamespy1net_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// Servers send answers in one datagram of any size.
func TestClientReadsLargeDatagrams(t *testing.T) {
	const more = gamespy1.MaxPlayers + 100
	for _, tt := range []struct{ size, players, want int }{
		{8193, 100, 100}, {34_000, 600, 600}, {58_000, gamespy1.MaxPlayers, gamespy1.MaxPlayers},
		{65_507, more, gamespy1.MaxPlayers},
	} {
		t.Run(fmt.Sprint(tt.size), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const end = `\final\\queryid\1.1`
				answer := fmt.Sprintf(`\gamename\ut\hostname\X\numplayers\%d`, tt.players)
				for i := range tt.players {
					answer += fmt.Sprintf(`\player_%d\P\frags_%[1]d\5\ping_%[1]d\ 60`, i)
				}
				answer += `\skin_0\` + strings.Repeat("x", tt.size-len(answer+`\skin_0\`+end)) + end
				w := newWorld()
				w.Serve(t, home, func(netip.AddrPort, []byte) [][]byte { return [][]byte{[]byte(answer)} })
				check := func(a gamespy1net.Answer, err error) {
					t.Helper()
					if err != nil || a.Partial != (tt.want < tt.players) || a.Attempts != 1 ||
						len(a.Message.Players) != tt.want {
						t.Errorf("%d players, partial %v, %v", len(a.Message.Players), a.Partial, err)
					}
				}
				check(w.client.Status(t.Context(), home.String()))
				for _, r := range w.client.Scan(t.Context(), slices.Values([]netip.AddrPort{home})) {
					check(r.Answer, r.Err)
				}
			})
		})
	}
}
