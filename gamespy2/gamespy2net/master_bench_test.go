package gamespy2net_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

const registeredServers = 50_000

// fullMaster returns a master and its servers in random order.
func fullMaster(b *testing.B, servers int) (*gamespy2net.Master, []netip.AddrPort) {
	b.Helper()
	m := newMaster()
	m.Unchecked = true
	heartbeat := recorded(b, "heartbeat_first")
	all := make([]netip.AddrPort, servers)
	for i, j := range rand.New(rand.NewPCG(1, 2)).Perm(servers) {
		all[i] = manyServers(j)
		register(b, m, all[i], heartbeat)
	}
	return m, all
}

// BenchmarkMasterRespond is the work of a master without the work of the system.
func BenchmarkMasterRespond(b *testing.B) {
	m, all := fullMaster(b, registeredServers)
	same, changed := recorded(b, "heartbeat_first"), recorded(b, "heartbeat_changed")
	alive := recorded(b, "keepalive")
	for _, bb := range []struct {
		name string
		do   func(n int, dst [][]byte) [][]byte
	}{
		{"heartbeat", func(n int, dst [][]byte) [][]byte { return nettest.Answers(m.Respond(all[n%len(all)], same, dst)) }},
		{"keepalive", func(n int, dst [][]byte) [][]byte { return nettest.Answers(m.Respond(all[n%len(all)], alive, dst)) }},
		{"change", func(n int, dst [][]byte) [][]byte {
			if n%2 == 0 {
				return nettest.Answers(m.Respond(all[0], changed, dst))
			}
			return nettest.Answers(m.Respond(all[0], same, dst))
		}},
		{"stranger", func(_ int, dst [][]byte) [][]byte { return nettest.Answers(m.Respond(stranger, same, dst)) }},
	} {
		b.Run(fmt.Sprintf("%s/servers=%d", bb.name, len(all)), func(b *testing.B) {
			b.ReportAllocs()
			var dst [][]byte
			for n := 0; b.Loop(); n++ {
				dst = bb.do(n, dst[:0])
			}
		})
	}
}
