package gamespy1net_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

const registeredServers = 100_000

// fullMaster returns a master and its servers in random order. Its list is one
// datagram.
func fullMaster(b *testing.B, servers int) (*gamespy1net.Master, []netip.AddrPort) {
	b.Helper()
	m := newMaster()
	m.Limits.MaxListPackets, m.Limits.MaxServers = 1, servers
	all := make([]netip.AddrPort, servers)
	for i, j := range rand.New(rand.NewPCG(1, 2)).Perm(servers) {
		all[i] = manyServers(j)
		enlist(b, m, all[i])
	}
	if st := m.Stats(); st.Listed != servers {
		b.Fatalf("%d servers", st.Listed)
	}
	return m, all
}

// BenchmarkMasterRespond measures a master without system calls.
func BenchmarkMasterRespond(b *testing.B) {
	for _, servers := range []int{170, registeredServers} {
		m, all := fullMaster(b, servers)
		news := [][]byte{answerTo(1), answerTo(2)}
		stranger := netip.MustParseAddrPort("203.0.113.1:25601")
		for _, bb := range []struct {
			name string
			do   func(n int, dst [][]byte) [][]byte
		}{
			{"list", func(_ int, dst [][]byte) [][]byte { return nettest.Answers(m.Respond(browser, askList, dst)) }},
			{"heartbeat", func(n int, dst [][]byte) [][]byte {
				return nettest.Answers(m.Respond(all[n%servers], periodic, dst))
			}},
			{"news", func(n int, dst [][]byte) [][]byte {
				return nettest.Answers(m.Respond(all[n%servers], news[n/servers%2], dst))
			}},
			{"join", func(_ int, dst [][]byte) [][]byte { return nettest.Answers(m.Respond(stranger, join, dst)) }},
			{"gamespy", func(n int, dst [][]byte) [][]byte {
				return nettest.Answers(m.Respond(all[n%servers], []byte(stockHeartbeat), dst))
			}},
			{"gamespynew",
				func(_ int, dst [][]byte) [][]byte {
					return nettest.Answers(m.Respond(stranger, []byte(stockHeartbeat), dst))
				}},
			{"wrong", func(_ int, dst [][]byte) [][]byte { return nettest.Answers(m.Respond(stranger, news[0], dst)) }},
		} {
			b.Run(fmt.Sprintf("%s/servers=%d", bb.name, servers), func(b *testing.B) {
				b.ReportAllocs()
				var dst [][]byte
				for n := 0; b.Loop(); n++ {
					dst = bb.do(n, dst[:0])
				}
			})
		}
	}
}
