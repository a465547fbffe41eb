package sqpnet_test

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/sqp"
)

// Challenges that others forge, before the right one or after it, cost a server neither its
// answer nor an attempt, and the client few datagrams.
func TestForgedChallengesCostNoAnswer(t *testing.T) {
	for _, tt := range []struct {
		name   string
		delay  time.Duration // of the right challenge and the answers
		forged time.Duration // of the forged challenges, from each request
		count  int
		most   int // queries
	}{
		{"one before", 350 * time.Millisecond, 0, 1, 4},
		{"one after", 0, 100 * time.Millisecond, 1, 4},
		{"two before", 350 * time.Millisecond, 0, 2, 6},
		{"many after", 300 * time.Millisecond, 400 * time.Millisecond, 1000, 8},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.Serve(t, home, nettest.By(newServer(t)))
			queries := 0
			w.Route = func(p nettest.Packet) []nettest.Packet {
				if p.From == home {
					p.Delay = tt.delay
					return []nettest.Packet{p}
				}
				arriving := []nettest.Packet{p}
				if p.Data[0] == 1 {
					queries++
				}
				for i := range tt.count {
					stray := []byte{0, 0xff, 0xff, byte(i >> 8), byte(i)}
					arriving = append(arriving, nettest.Packet{From: home, To: p.From, Data: stray, Delay: tt.forged})
				}
				return arriving
			}
			a, err := w.client.Query(t.Context(), home.String(), sqp.ChunkServerInfo)
			if err != nil || a.Message.ServerInfo == nil || a.Attempts != 1 || queries > tt.most {
				t.Errorf("%s: %v after %d attempts and %d queries", tt.name, err, a.Attempts, queries)
			}
			only := func(yield func(netip.AddrPort) bool) { yield(home) }
			for _, r := range w.client.Scan(t.Context(), only, sqp.ChunkServerInfo) {
				if r.Err != nil || r.Attempts != 1 {
					t.Errorf("%s: scan: %v after %d attempts", tt.name, r.Err, r.Attempts)
				}
			}
		})
	}
}
