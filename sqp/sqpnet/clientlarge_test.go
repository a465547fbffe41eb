package sqpnet_test

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire/sqp"
)

// Most servers do not split answers, so one with many players is a large datagram.
func TestClientReadsLargeDatagrams(t *testing.T) {
	for _, size := range []int{8193, 34_000, 58_000, 65_507} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				state := crowded(size / 32)
				large, err := sqp.QueryResponse{PlayerInfo: &state.PlayerInfo}.AppendBinary(nil)
				if err != nil {
					t.Fatal(err)
				}
				rows := state.PlayerInfo.Rows
				for i := 0; len(large) < size; i++ {
					pad := min(size-len(large), 200)
					rows[i][0] = sqp.String(rows[i][0].Text() + strings.Repeat("x", pad))
					large, _ = sqp.QueryResponse{PlayerInfo: &state.PlayerInfo}.AppendBinary(nil)
				}
				if len(large) != size {
					t.Fatalf("the answer has %d bytes", len(large))
				}
				w := newWorld()
				w.Serve(t, home, singleUse(t, func(q sqp.QueryRequest) [][]byte {
					binary.BigEndian.PutUint32(large[1:], q.Token)
					return [][]byte{large}
				}))
				a, err := w.client.Query(t.Context(), home.String(), sqp.ChunkPlayerInfo)
				if err != nil || a.Missing != 0 || len(a.Message.PlayerInfo.Rows) != len(rows) {
					t.Errorf("got %v, missing %v", err, a.Missing)
				}
				for _, r := range w.client.Scan(t.Context(), slices.Values([]netip.AddrPort{home}), sqp.ChunkPlayerInfo) {
					if r.Err != nil || r.Missing != 0 || len(r.Message.PlayerInfo.Rows) != len(rows) {
						t.Errorf("scan: got %v, missing %v", r.Err, r.Missing)
					}
				}
			})
		})
	}
}
