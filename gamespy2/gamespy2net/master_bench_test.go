package gamespy2net_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"testing"
	"time"

	"golang.org/x/net/ipv4"

	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// The benchmarks over sockets send bursts of as many datagrams as the loop reads
// in a call, to a master with many servers and, as the floor, to a loop by hand
// that answers with what is ready. One run prints both.

const (
	registeredServers = 50_000
	burst             = 64
)

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

// BenchmarkMasterHeartbeat receives heartbeats of all servers in turn. Only the last
// request of a burst, about availability, is answered.
func BenchmarkMasterHeartbeat(b *testing.B) {
	m, all := fullMaster(b, registeredServers)
	n := 0
	loop := &udp.Server{
		Handler: func(_ time.Time, _ netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) ([][]byte, udp.Outcome) {
			if _, is := qr2.PeekToMaster(req).(qr2.Heartbeat); is {
				from = all[n%len(all)]
				n++
			}
			return nettest.Answers(m.Respond(from, req, dst)), udp.Handled
		},
		MaxRequest: qr2.MaxHeartbeat,
	}
	asker, answerer := benchSockets(b)
	go loop.Serve(answerer)
	defer loop.Close()
	exchangeBursts(b, asker, answerer, heartbeats(b), 1)
}

// BenchmarkMasterHeartbeatEcho answers each with as many bytes.
func BenchmarkMasterHeartbeatEcho(b *testing.B) {
	asker, answerer := benchSockets(b)
	first, last := recorded(b, "heartbeat_first"), recorded(b, "available")
	go byHand(answerer, len(first), first[0], last[0])
	exchangeBursts(b, asker, answerer, heartbeats(b), burst)
}

// BenchmarkMasterHeartbeatFloor reads them and does nothing.
func BenchmarkMasterHeartbeatFloor(b *testing.B) {
	asker, answerer := benchSockets(b)
	go byHand(answerer, 1, recorded(b, "available")[0])
	exchangeBursts(b, asker, answerer, heartbeats(b), 1)
}

func heartbeats(b *testing.B) [][]byte {
	requests := make([][]byte, burst)
	for i := range requests {
		requests[i] = recorded(b, "heartbeat_first")
	}
	requests[burst-1] = recorded(b, "available")
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

// byHand answers requests that begin with one of types, with size bytes, in
// batches.
func byHand(pc net.PacketConn, size int, types ...byte) {
	c := ipv4.NewPacketConn(pc)
	in, out := make([]ipv4.Message, burst), make([]ipv4.Message, burst)
	answer := make([]byte, size)
	for i := range in {
		in[i].Buffers = [][]byte{make([]byte, qr2.MaxHeartbeat+1)}
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
	c := udp.NewConn(asker, qr2.MaxHeartbeat)
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
