package udp

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"golang.org/x/net/ipv4"
)

// The benchmarks below answer packets in bursts of a batch, so that the loop
// and the floor do the same system calls. One run prints both.

// BenchmarkServe is the loop with a handler that answers five bytes.
func BenchmarkServe(b *testing.B) {
	asker, answerer := sockets(b, "127.0.0.1:0")
	answer := []byte{0, 1, 2, 3, 4}
	s := &Server{
		Handler: func(_ time.Time, _ netip.Addr, _ netip.AddrPort, _ []byte, dst [][]byte) ([][]byte, Outcome) {
			dst = Next(dst)
			dst[len(dst)-1] = append(dst[len(dst)-1], answer...)
			return dst, Handled
		},
		MaxRequest: 64,
	}
	go s.Serve(answerer)
	defer s.Close()
	exchange(b, asker, answerer)
}

// BenchmarkServeFloor is the same by hand: ReadBatch and WriteBatch.
func BenchmarkServeFloor(b *testing.B) {
	asker, answerer := sockets(b, "127.0.0.1:0")
	go func() {
		pc := ipv4.NewPacketConn(answerer)
		in, out := make([]ipv4.Message, batchSize), make([]ipv4.Message, batchSize)
		for i := range in {
			in[i].Buffers = [][]byte{make([]byte, 64)}
			out[i].Buffers = [][]byte{{0, 1, 2, 3, 4}}
		}
		for {
			n, err := pc.ReadBatch(in, 0)
			if err != nil {
				return
			}
			for i := range n {
				out[i].Addr = in[i].Addr
			}
			for sent := 0; sent < n; {
				k, err := pc.WriteBatch(out[sent:n], 0)
				if err != nil {
					return
				}
				sent += k
			}
		}
	}()
	exchange(b, asker, answerer)
}

// exchange sends bursts and reads the answers.
func exchange(b *testing.B, asker, answerer net.PacketConn) {
	b.Helper()
	c := NewConn(asker, 64)
	to := local(answerer)
	request := make([]byte, 5)
	b.ReportAllocs()
	start, packets := time.Now(), 0
	for b.Loop() {
		for range batchSize {
			c.Send(to, request)
		}
		c.Flush()
		for got := 0; got < batchSize; {
			n, err := c.Read()
			if err != nil {
				b.Fatal(err)
			}
			got += n
		}
		packets += batchSize
	}
	b.ReportMetric(float64(packets)/time.Since(start).Seconds(), "queries/s")
}
