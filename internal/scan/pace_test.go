package scan

import (
	"context"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

// counter is a socket that notes when datagrams are sent.
type counter struct {
	net.PacketConn
	sent *[]time.Time
}

func (c counter) WriteTo(b []byte, to net.Addr) (int, error) {
	*c.sent = append(*c.sent, time.Now())
	return c.PacketConn.WriteTo(b, to)
}

// A scan sends as many requests a second as its rate allows, repeats and second steps
// included, and no more, whatever the servers do.
func TestScanKeepsItsRate(t *testing.T) {
	const rate, n = 500, 5000
	for _, answering := range []int{0, 500} {
		synctest.Test(t, func(t *testing.T) {
			l := newLab()
			for i := range answering {
				l.serve(t, target(i))
			}
			var sent []time.Time
			listen := l.Scanner.Listen
			l.Scanner.Listen = func(ctx context.Context) (net.PacketConn, error) {
				pc, err := listen(ctx)
				return counter{pc, &sent}, err
			}
			l.Scanner.Rate = rate
			results := 0
			for range l.Scan(t.Context(), targets(n)) {
				results++
			}
			if results != n {
				t.Errorf("%d results, want %d", results, n)
			}
			took := sent[len(sent)-1].Sub(sent[0])
			if best := time.Duration(len(sent)) * time.Second / rate; took > best+best/20 {
				t.Errorf("%d answering: %d requests took %v, want %v", answering, len(sent), took, best)
			}
			// Second attempts are not held up, so a moment may have twice the rate.
			for i := range sent {
				if j := i + 2*rate + rate/10; j < len(sent) && sent[j].Sub(sent[i]) < time.Second {
					t.Fatalf("%d answering: %d requests in %v", answering, j-i, sent[j].Sub(sent[i]))
				}
			}
		})
	}
}

// A rate above the usual opens the window: silent servers are asked as fast as it says.
func TestHighRateOpensTheWindow(t *testing.T) {
	const n = 5000
	scan := func(rate int) (took time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			l := newLab()
			l.Scanner.Attempts = 1
			l.Scanner.Rate = rate
			start := time.Now()
			for range l.Scan(t.Context(), targets(n)) {
			}
			took = time.Since(start) - l.Timeout
		})
		return took
	}
	usual, fast := scan(0), scan(20_000)
	if fast > usual/4 {
		t.Errorf("%d silent servers took %v, and %v at a rate of 20 000", n, usual, fast)
	}
}

// targets yields n targets.
func targets(n int) func(yield func(netip.AddrPort) bool) {
	return func(yield func(netip.AddrPort) bool) {
		for i := range n {
			if !yield(target(i)) {
				return
			}
		}
	}
}
