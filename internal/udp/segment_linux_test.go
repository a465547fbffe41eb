package udp

import (
	"bytes"
	"net"
	"net/netip"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/ipv4"
)

// parts returns datagrams with these sizes and different bytes.
func parts(sizes ...int) [][]byte {
	var all [][]byte
	for i, size := range sizes {
		all = append(all, bytes.Repeat([]byte{byte(i + 1)}, size))
	}
	return all
}

func repeat(n, size int) []int {
	sizes := make([]int, n)
	for i := range sizes {
		sizes[i] = size
	}
	return sizes
}

func TestEqualPartsHaveOneSize(t *testing.T) {
	for _, tt := range []struct {
		sizes []int
		want  int
	}{
		{[]int{5}, 1},
		{[]int{5, 5}, 2},
		{[]int{5, 5, 3}, 3},
		{[]int{5, 5, 3, 5}, 3},
		{[]int{5, 5, 6}, 2},
		{[]int{5, 0, 5}, 1},
		{[]int{0, 0}, 1},
		{repeat(100, 5), maxSegments},
		{repeat(100, 1400), 46},
		{[]int{1 << 17, 5}, 1},
	} {
		if got := equalParts(parts(tt.sizes...)); got != tt.want {
			t.Errorf("sizes %v: %d, want %d", tt.sizes, got, tt.want)
		}
	}
}

// Answers of several datagrams arrive as they are, whether the kernel cuts them or refuses to,
// here because it computes no checksums.
func TestAnswersArriveAsTheyAre(t *testing.T) {
	answers := [][]int{{3, 3, 3}, {7}, {1000, 1000, 20}, {5, 6, 6, 1}, {2, 0, 2}, repeat(150, 40)}
	for _, addr := range []string{"127.0.0.1:0", "[::1]:0"} {
		for _, checksums := range []bool{true, false} {
			pa, pb := sockets(t, addr)
			if !canSegment(pb.(*net.UDPConn)) {
				t.Skip("this kernel does not cut messages")
			}
			if !checksums {
				withoutChecksums(t, pb)
			}
			s := &Server{
				Handler: func(_ time.Time, _ netip.Addr, _ netip.AddrPort, req []byte, dst [][]byte) ([][]byte, Outcome) {
					for _, p := range parts(answers[req[0]]...) {
						dst = Append(dst, p)
					}
					return dst, Handled
				},
				MaxRequest: 8,
			}
			go s.Serve(pb)
			buf := make([]byte, 2000)
			for i, sizes := range answers {
				if _, err := pa.WriteTo([]byte{byte(i)}, pb.LocalAddr()); err != nil {
					t.Fatal(err)
				}
				for j, want := range parts(sizes...) {
					pa.SetReadDeadline(time.Now().Add(time.Minute))
					n, _, err := pa.ReadFrom(buf)
					if err != nil || !bytes.Equal(buf[:n], want) {
						t.Fatalf("%s, checksums %v, answer %d: datagram %d has %d bytes, want %d (%v)",
							addr, checksums, i, j, n, len(want), err)
					}
				}
			}
			s.Close()
			if st := s.Stats(); st.Sent != 3+1+3+4+3+150 || st.Failed != 0 {
				t.Errorf("%s, checksums %v: stats %+v", addr, checksums, st)
			}
		}
	}
}

func withoutChecksums(t *testing.T, pc net.PacketConn) {
	t.Helper()
	err := control(pc.(*net.UDPConn), func(fd int) error {
		return syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_NO_CHECK, 1)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The benchmarks below send 16 datagrams of 1020 bytes to a peer that reads none. One run
// prints all.

// BenchmarkAnswerParts cuts one message.
func BenchmarkAnswerParts(b *testing.B) { answerParts(b, true) }

// BenchmarkAnswerDatagrams sends as many messages.
func BenchmarkAnswerDatagrams(b *testing.B) { answerParts(b, false) }

func answerParts(b *testing.B, segments bool) {
	c, _ := asked(b)
	c.segments = segments
	var answers [][]byte
	part := make([]byte, 1020)
	for b.Loop() {
		answers = answers[:0]
		for range 16 {
			answers = Append(answers, part)
		}
		c.Answer(0, answers)
		if sent, failed := c.Flush(); sent != 16 || failed != 0 {
			b.Fatal(sent, failed)
		}
	}
}

// BenchmarkAnswerPartsFloor cuts one message by hand.
func BenchmarkAnswerPartsFloor(b *testing.B) {
	c, to := asked(b)
	out := []ipv4.Message{{Buffers: [][]byte{make([]byte, 16*1020)}, OOB: appendSegmentSize(nil, 1020), Addr: to}}
	part := make([]byte, 1020)
	for b.Loop() {
		answer := out[0].Buffers[0][:0]
		for range 16 {
			answer = append(answer, part...)
		}
		if n, err := c.pc.WriteBatch(out, 0); n != 1 || err != nil {
			b.Fatal(n, err)
		}
	}
}

// asked returns a Conn that has read a datagram, and its source.
func asked(b *testing.B) (*batch, net.Addr) {
	b.Helper()
	pa, pb := sockets(b, "127.0.0.1:0")
	if !canSegment(pb.(*net.UDPConn)) {
		b.Skip("this kernel does not cut messages")
	}
	if _, err := pa.WriteTo([]byte{0}, pb.LocalAddr()); err != nil {
		b.Fatal(err)
	}
	c := newServerConn(pb, 64).(*batch)
	if _, err := c.Read(); err != nil {
		b.Fatal(err)
	}
	return c, c.in[0].Addr
}

// A message that holds fewer datagrams than an earlier one keeps the memory of all of them.
func TestSegmentsKeepMemory(t *testing.T) {
	pc, _ := sockets(t, "127.0.0.1:0")
	c := newServerConn(pc, 8).(*batch)
	const size = 100
	data := make([]byte, size)
	var answer [][]byte
	queue := func(n int) {
		answer = answer[:0]
		for range n {
			answer = Append(answer, data)
		}
		c.queue(netip.Addr{}, nil, answer)
		c.queued = 0
	}
	for range 2 { // the answer and the message change memory
		queue(16)
	}
	if n := testing.AllocsPerRun(10, func() {
		queue(3)
		queue(16)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
