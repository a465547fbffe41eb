package gameagentnet_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"testing"
	"time"

	"golang.org/x/net/ipv4"

	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// The benchmarks over sockets send bursts of as many datagrams as the server reads in
// one call: to a master with many servers and, as the floor, to a hand-written loop
// that sends prepared answers. One run prints both.

const (
	registeredServers = 100_000
	burst             = 64
)

// fullMaster returns a master and its servers in random order. Its list is one
// datagram.
func fullMaster(b *testing.B, servers int) (*gameagentnet.Master, []netip.AddrPort) {
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
			{"legacy", func(n int, dst [][]byte) [][]byte {
				return nettest.Answers(m.Respond(all[n%servers], []byte(stockHeartbeat), dst))
			}},
			{"legacynew",
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

// BenchmarkMasterHeartbeat sends heartbeats of all servers in turn. Only the last
// request of a burst, which is for the list, is answered.
func BenchmarkMasterHeartbeat(b *testing.B) {
	m, all := fullMaster(b, registeredServers)
	n := 0
	loop := &udp.Server{
		Handler: func(_ time.Time, _ netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) ([][]byte, udp.Outcome) {
			if req[0] == '0' {
				from = all[n%len(all)]
				n++
			}
			return nettest.Answers(m.Respond(from, req, dst)), udp.Handled
		},
		MaxRequest: 1024,
	}
	asker, answerer := benchSockets(b)
	go loop.Serve(answerer)
	defer loop.Close()
	exchangeBursts(b, asker, answerer, heartbeats(), 1)
}

// BenchmarkMasterHeartbeatFloor reads heartbeats and does nothing.
func BenchmarkMasterHeartbeatFloor(b *testing.B) {
	asker, answerer := benchSockets(b)
	go byHand(answerer, 1, 'e')
	exchangeBursts(b, asker, answerer, heartbeats(), 1)
}

// BenchmarkMasterHeartbeatEcho answers each heartbeat with as many bytes.
func BenchmarkMasterHeartbeatEcho(b *testing.B) {
	asker, answerer := benchSockets(b)
	go byHand(answerer, len(periodic), '0', 'e')
	exchangeBursts(b, asker, answerer, heartbeats(), burst)
}

// BenchmarkMasterList answers with a datagram of 1021 bytes.
func BenchmarkMasterList(b *testing.B) {
	m, _ := fullMaster(b, registeredServers)
	asker, answerer := benchSockets(b)
	go m.Serve(answerer)
	defer m.Close()
	exchangeBursts(b, asker, answerer, lists(), burst)
}

func BenchmarkMasterListFloor(b *testing.B) {
	asker, answerer := benchSockets(b)
	go byHand(answerer, 1021, 'e')
	exchangeBursts(b, asker, answerer, lists(), burst)
}

func heartbeats() [][]byte {
	requests := make([][]byte, burst)
	for i := range requests {
		requests[i] = periodic
	}
	requests[burst-1] = askList
	return requests
}

func lists() [][]byte {
	requests := make([][]byte, burst)
	for i := range requests {
		requests[i] = askList
	}
	return requests
}

func benchSockets(b *testing.B) (asker, answerer net.PacketConn) {
	b.Helper()
	var pcs [2]net.PacketConn
	for i := range pcs {
		pc, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			b.Skip(err)
		}
		b.Cleanup(func() { pc.Close() })
		pcs[i] = pc
	}
	return pcs[0], pcs[1]
}

// byHand answers requests that start with one of types, in batches, with size bytes
// each.
func byHand(pc net.PacketConn, size int, types ...byte) {
	c := ipv4.NewPacketConn(pc)
	in, out := make([]ipv4.Message, burst), make([]ipv4.Message, burst)
	answer := make([]byte, size)
	for i := range in {
		in[i].Buffers = [][]byte{make([]byte, 1025)}
		out[i].Buffers = [][]byte{answer}
	}
	for {
		n, err := c.ReadBatch(in, 0)
		if err != nil {
			return
		}
		answers := 0
		for i := range n {
			if bytes.IndexByte(types, in[i].Buffers[0][0]) >= 0 {
				out[answers].Addr = in[i].Addr
				answers++
			}
		}
		for sent := 0; sent < answers; {
			k, err := c.WriteBatch(out[sent:answers], 0)
			if err != nil {
				return
			}
			sent += k
		}
	}
}

// exchangeBursts sends bursts of requests and reads the answers.
func exchangeBursts(b *testing.B, asker, answerer net.PacketConn, requests [][]byte, answers int) {
	b.Helper()
	c := udp.NewConn(asker, 1024)
	to := answerer.LocalAddr().(*net.UDPAddr).AddrPort()
	b.ReportAllocs()
	packets := 0
	for b.Loop() {
		for _, r := range requests {
			c.Send(to, r)
		}
		c.Flush()
		for got := 0; got < answers; {
			n, err := c.Read()
			if err != nil {
				b.Fatal(err)
			}
			got += n
		}
		packets += len(requests)
	}
	b.ReportMetric(float64(packets)/b.Elapsed().Seconds(), "requests/s")
}
