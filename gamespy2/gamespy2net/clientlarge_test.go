package gamespy2net_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// Servers and proxies of Minecraft send a full stat in one datagram, whatever its size.
func TestClientReadsLargeDatagrams(t *testing.T) {
	for _, size := range []int{8193, 34_000, 58_000, 65_507} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				state := minecraftState(size / 12)
				m := gamespy2.Response{Split: true, Sections: gamespy2.SectionInfo | gamespy2.SectionPlayers,
					Info: state.Info, Players: state.Players}
				large, err := m.AppendBinary(nil)
				if err != nil {
					t.Fatal(err)
				}
				last := m.Players.Rows[len(m.Players.Rows)-1]
				last[0] += strings.Repeat("x", size-len(large))
				if large, err = m.AppendBinary(nil); err != nil || len(large) != size {
					t.Fatalf("the answer has %d bytes: %v", len(large), err)
				}
				w := newWorld()
				w.Serve(t, home, func(_ netip.AddrPort, req []byte) [][]byte {
					q, err := gamespy2.Options{Challenge: true}.ParseRequest(req)
					if err != nil || q.Type != gamespy2.TypeChallenge {
						gamespy2.SetID(large, q.ID)
						return [][]byte{large}
					}
					b, _ := gamespy2.ChallengeResponse{ID: q.ID, Number: 1234567}.AppendBinary(nil)
					return [][]byte{b}
				})
				check := func(a gamespy2net.Answer, err error) {
					t.Helper()
					rows := a.Message.Players.Rows
					if err != nil || a.Partial || a.Attempts != 1 || len(rows) != len(m.Players.Rows) ||
						rows[len(rows)-1][0] != last[0] {
						t.Errorf("%d players, partial %v, %v", len(rows), a.Partial, err)
					}
				}
				check(w.client.Query(t.Context(), home.String()))
				for _, r := range w.client.Scan(t.Context(), slices.Values([]netip.AddrPort{home})) {
					check(r.Answer, r.Err)
				}
			})
		})
	}
}
