// Package laws tests the properties that all helpers share, whatever their protocol. A
// package describes each of its helpers by one value, whose method Test runs the laws as
// subtests. The other tests of the package cover only what is special to its protocol.
package laws

import (
	"context"
	"errors"
	"iter"
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A Client is a client over UDP, to be tested by Test.
type Client struct {
	// Server returns the Respond of a new server. Answers that describe its state are True.
	Server func(t testing.TB) nettest.Respond

	Queries map[string]Query
	Scans   map[string]Scan

	Cut bool // packets are cut as well; otherwise a cut message may be another one

	// IsChallenge reports whether an answer only allows the query that follows. It is nil if
	// the protocol has none.
	IsChallenge func(b []byte) bool
}

// A Query queries a server with a client in n or, if n is nil, with a client that uses
// sockets.
type Query func(ctx context.Context, n *nettest.Network, addr string) Answer

// A Scan queries targets in n.
type Scan func(ctx context.Context, n *nettest.Network, targets iter.Seq[netip.AddrPort]) Results

// Results are the targets of a scan with their answers.
type Results = iter.Seq2[netip.AddrPort, Answer]

// ResultsOf returns the results of a scan, whose answers are made by answer.
func ResultsOf[R any](all iter.Seq2[netip.AddrPort, R], answer func(R) Answer) Results {
	return func(yield func(netip.AddrPort, Answer) bool) {
		for addr, r := range all {
			if !yield(addr, answer(r)) {
				return
			}
		}
	}
}

// An Answer is the result of a query.
type Answer struct {
	Value    any  // as the client returns it, without the error
	True     bool // everything in it agrees with the state of the server
	Partial  bool // something of the state is missing
	Attempts int
	RTT      time.Duration
	Err      error
}

// Addresses of the laws.
var (
	home     = netip.MustParseAddrPort("192.0.2.9:7000")
	asker    = netip.MustParseAddrPort("192.0.2.1:5000")
	stranger = netip.MustParseAddrPort("192.0.2.2:5000")
)

const (
	attempts = 4           // of a query, by default
	timeout  = time.Second // of an attempt, by default
	oneWay   = 20 * time.Millisecond
)

// Test runs the laws.
func (c Client) Test(t *testing.T) {
	for name, query := range c.Queries {
		q := func(ctx context.Context, n *nettest.Network) Answer { return query(ctx, n, home.String()) }
		t.Run(name, func(t *testing.T) {
			t.Run("answer", func(t *testing.T) { c.isAnswered(t, q) })
			t.Run("silence", func(t *testing.T) { timesOut(t, q) })
			t.Run("context", func(t *testing.T) { endsWithItsContext(t, q) })
			t.Run("closed port", func(t *testing.T) { learnsOfClosedPorts(t, query) })
			t.Run("retry", func(t *testing.T) { c.retriesFromAnotherPort(t, q) })
			t.Run("answers of others", func(t *testing.T) { c.ignoresAnswersOfOthers(t, q) })
			c.testStrays(t, q)
			t.Run("faulty network", func(t *testing.T) { c.tellsTheTruth(t, q) })
		})
	}
	for name, scan := range c.Scans {
		t.Run(name, func(t *testing.T) {
			t.Run("answers", func(t *testing.T) { c.scans(t, scan) })
			t.Run("context", func(t *testing.T) { scanEndsWithItsContext(t, scan) })
			t.Run("break", func(t *testing.T) { c.scanStops(t, scan) })
			q := func(ctx context.Context, n *nettest.Network) (a Answer) {
				for _, a = range scan(ctx, n, slices.Values([]netip.AddrPort{home})) {
				}
				return a
			}
			t.Run("answers of others", func(t *testing.T) { c.ignoresAnswersOfOthers(t, q) })
			c.testStrays(t, q)
			t.Run("faulty network", func(t *testing.T) { c.scanTellsTheTruth(t, scan) })
		})
	}
}

// homeQuery is a Query of the server at home.
type homeQuery func(ctx context.Context, n *nettest.Network) Answer

// bubble runs test with a network in a bubble.
func bubble(t *testing.T, test func(t *testing.T, n *nettest.Network)) {
	synctest.Test(t, func(t *testing.T) { test(t, new(nettest.Network)) })
}

func delayed(p nettest.Packet) []nettest.Packet {
	p.Delay = oneWay
	return []nettest.Packet{p}
}

func (c Client) isAnswered(t *testing.T, query homeQuery) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		n.Serve(t, home, c.Server(t))
		n.Route = delayed
		if a := query(t.Context(), n); a.Err != nil || !a.True || a.Partial || a.Attempts != 1 || a.RTT != 2*oneWay {
			t.Errorf("got %+v", a)
		} else {
			isKept(t, a.Value)
		}
	})
}

func timesOut(t *testing.T, query homeQuery) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		start := time.Now()
		a := query(t.Context(), n)
		if took := time.Since(start); !errors.Is(a.Err, lobbywire.ErrTimeout) || a.Attempts != attempts ||
			took != attempts*timeout {
			t.Errorf("got %+v after %v", a, took)
		}
	})
}

func endsWithItsContext(t *testing.T, query homeQuery) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		const limit = 300 * time.Millisecond
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		start := time.Now()
		a := query(ctx, n)
		if took := time.Since(start); !errors.Is(a.Err, context.DeadlineExceeded) || took != limit {
			t.Errorf("got %+v after %v", a, took)
		}
	})
}

// A closed port of this machine is not reported as a timeout if the system reports it.
func learnsOfClosedPorts(t *testing.T, query Query) {
	addr := nettest.ClosedUDP(t)
	if !reportsClosedPorts(t, addr) {
		t.Skip("the system does not report closed ports")
	}
	if a := query(t.Context(), nil, addr); a.Err == nil || errors.Is(a.Err, lobbywire.ErrTimeout) {
		t.Errorf("got %+v", a)
	}
}

func reportsClosedPorts(t *testing.T, addr string) bool {
	conn, err := net.Dial("udp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := conn.Write([]byte{0}); err != nil {
		return true
	}
	_, err = conn.Read(make([]byte, 1))
	var ne net.Error
	return !errors.As(err, &ne) || !ne.Timeout()
}

// A server may ignore a port that it has answered once, and that answer may be lost.
func (c Client) retriesFromAnotherPort(t *testing.T, query homeQuery) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		var first netip.AddrPort
		ports := make(map[netip.AddrPort]bool)
		respond := c.Server(t)
		n.Serve(t, home, func(from netip.AddrPort, req []byte) [][]byte {
			ports[from] = true
			if !first.IsValid() {
				first = from
			}
			if from == first {
				return nil
			}
			return respond(from, req)
		})
		if a := query(t.Context(), n); a.Err != nil || !a.True || a.Attempts != 2 || len(ports) < 2 {
			t.Errorf("from %d ports: %+v", len(ports), a)
		}
	})
}

// Answers from another address or port than the queried one are ignored.
func (c Client) ignoresAnswersOfOthers(t *testing.T, query homeQuery) {
	for _, from := range []netip.AddrPort{stranger, netip.AddrPortFrom(home.Addr(), home.Port()+1)} {
		bubble(t, func(t *testing.T, n *nettest.Network) {
			n.Serve(t, home, c.Server(t))
			n.Route = func(p nettest.Packet) []nettest.Packet {
				if p.From == home {
					p.From = from
				}
				return []nettest.Packet{p}
			}
			if a := query(t.Context(), n); !errors.Is(a.Err, lobbywire.ErrTimeout) {
				t.Errorf("from %v: %+v", from, a)
			}
		})
	}
}

// Over a faulty network, a query yields the truth, a part of it or an error.
func (c Client) tellsTheTruth(t *testing.T, query homeQuery) {
	seeds := suite.Pick(50, 400) // of 400, the share of whole answers hardly varies
	whole := 0
	for seed := range uint64(seeds) {
		bubble(t, func(t *testing.T, n *nettest.Network) {
			n.Serve(t, home, c.Server(t))
			n.Route = nettest.Faulty(seed, c.Cut)
			a := query(t.Context(), n)
			if a.Err == nil && !a.True {
				t.Errorf("seed %d: %+v", seed, a)
			}
			if a.Err == nil && !a.Partial {
				whole++
			}
		})
	}
	if whole < seeds/suite.Pick(25, 4) {
		t.Errorf("%d of %d answers are whole", whole, seeds)
	}
}

// addresses returns n targets on several hosts.
func addresses(n int) []netip.AddrPort {
	var all []netip.AddrPort
	for i := range n {
		all = append(all, netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(i >> 8)}), uint16(7000+i&0xff)))
	}
	return all
}

// A scan yields each target once, and waits for silent ones together.
func (c Client) scans(t *testing.T, scan Scan) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		targets := addresses(suite.Pick(100, 300))
		silent := func(i int) bool { return i%10 == 0 }
		for i, addr := range targets {
			if !silent(i) {
				n.Serve(t, addr, c.Server(t))
			}
		}
		n.Route = delayed
		start := time.Now()
		got := make(map[netip.AddrPort]Answer)
		for addr, a := range scan(t.Context(), n, slices.Values(targets)) {
			if _, twice := got[addr]; twice {
				t.Errorf("%v came twice", addr)
			}
			got[addr] = a
		}
		for i, addr := range targets {
			a, ok := got[addr]
			switch {
			case !ok:
				t.Errorf("%v did not come", addr)
			case silent(i):
				if !errors.Is(a.Err, lobbywire.ErrTimeout) || a.Attempts != attempts {
					t.Errorf("%v is silent: %+v", addr, a)
				}
			case a.Err != nil || !a.True || a.Partial || a.RTT != 2*oneWay:
				t.Errorf("%v: %+v", addr, a)
			}
		}
		if took := time.Since(start); took > (attempts+1)*timeout {
			t.Errorf("took %v", took)
		}
	})
}

func scanEndsWithItsContext(t *testing.T, scan Scan) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		const limit = 300 * time.Millisecond
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		start := time.Now()
		var last Answer
		for addr, a := range scan(ctx, n, slices.Values(addresses(5))) {
			if addr.IsValid() {
				t.Errorf("%v has a result", addr)
			}
			last = a
		}
		if took := time.Since(start); !errors.Is(last.Err, context.DeadlineExceeded) || took != limit {
			t.Errorf("%v after %v", last.Err, took)
		}
	})
}

// Breaking out of the loop ends the scan and its goroutines, or the bubble would not end.
func (c Client) scanStops(t *testing.T, scan Scan) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		targets := addresses(1000)
		respond := c.Server(t)
		for _, addr := range targets {
			n.Serve(t, addr, respond)
		}
		var mu sync.Mutex
		pulled := 0
		counted := func(yield func(netip.AddrPort) bool) {
			for _, addr := range targets {
				mu.Lock()
				pulled++
				mu.Unlock()
				if !yield(addr) {
					return
				}
			}
		}
		for range scan(t.Context(), n, counted) {
			break
		}
		synctest.Wait() // for the goroutine that reads the targets
		mu.Lock()
		defer mu.Unlock()
		if pulled == len(targets) {
			t.Error("all targets were pulled for one result")
		}
	})
}

func (c Client) scanTellsTheTruth(t *testing.T, scan Scan) {
	for seed := range suite.Pick[uint64](5, 20) {
		bubble(t, func(t *testing.T, n *nettest.Network) {
			targets := addresses(25)
			for _, addr := range targets {
				n.Serve(t, addr, c.Server(t))
			}
			n.Route = nettest.Faulty(seed, c.Cut)
			results := 0
			for addr, a := range scan(t.Context(), n, slices.Values(targets)) {
				results++
				if a.Err == nil && !a.True {
					t.Errorf("seed %d, %v: %+v", seed, addr, a)
				}
			}
			if results != len(targets) {
				t.Errorf("seed %d: %d results for %d targets", seed, results, len(targets))
			}
		})
	}
}
