package scan

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A refusing connection does not send the first requests to some addresses.
type refusing struct {
	*nettest.Conn
	why map[netip.AddrPort][]error
}

func (c refusing) WriteTo(b []byte, to net.Addr) (int, error) {
	addr := to.(*net.UDPAddr).AddrPort()
	if errs := c.why[addr]; len(errs) > 0 {
		c.why[addr] = errs[1:]
		return 0, &net.OpError{Op: "write", Net: "udp", Addr: to, Err: errs[0]}
	}
	return c.Conn.WriteTo(b, to)
}

// A request that the system refuses to send, or an invalid address, is at once the result
// of its target; other targets are not affected. After a temporary failure, the request
// is sent again.
func TestErrorsOfSendingAreResults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		for i := range 3 {
			l.serve(t, target(i))
		}
		other := errors.New("anything else")
		why := map[netip.AddrPort][]error{
			target(1): {syscall.ENETUNREACH},
			target(2): {syscall.ENOBUFS},
			target(3): {other},
		}
		l.Scanner.Listen = func(context.Context) (net.PacketConn, error) {
			c, err := l.Network.Listen(netip.MustParseAddrPort("127.0.0.1:0"))
			return refusing{c, why}, err
		}
		noPort := netip.AddrPortFrom(target(4).Addr(), 0)
		nowhere := netip.AddrPortFrom(netip.IPv4Unspecified(), 7)
		targets := []netip.AddrPort{target(0), target(1), {}, target(2), noPort, target(3), nowhere}
		results := map[netip.AddrPort]Result{}
		at := map[netip.AddrPort]time.Duration{}
		start := time.Now()
		for r := range l.Scan(t.Context(), slices.Values(targets)) {
			results[r.Target] = r
			at[r.Target] = time.Since(start).Round(time.Millisecond)
		}
		for _, tt := range []struct {
			target   netip.AddrPort
			want     error
			attempts int
			at       time.Duration
		}{
			{target(0), nil, 1, 0},
			{target(1), syscall.ENETUNREACH, 1, 0},
			{target(2), nil, 2, time.Second},
			{target(3), other, 1, 0},
		} {
			r, ok := results[tt.target]
			if !ok || !errors.Is(r.Err, tt.want) || r.Attempts != tt.attempts || at[tt.target] != tt.at {
				t.Errorf("%v: %+v after %v", tt.target, r, at[tt.target])
			}
		}
		for _, bad := range []netip.AddrPort{{}, noPort, nowhere} {
			var addrErr *net.AddrError
			if r, ok := results[bad]; !ok || !errors.As(r.Err, &addrErr) || at[bad] != 0 {
				t.Errorf("%v: %+v after %v", bad, r, at[bad])
			}
		}
		if len(results) != len(targets) {
			t.Errorf("%d results for %d targets", len(results), len(targets))
		}
	})
}

// A temporary failure is the result only if no request was sent.
func TestTemporaryErrorsAreTriedAgain(t *testing.T) {
	for _, passing := range []error{syscall.ENOBUFS, syscall.EPERM} {
		for _, tt := range []struct {
			name     string
			alive    bool
			refused  int
			want     error
			attempts int
			after    time.Duration
		}{
			{"once", true, 1, nil, 2, time.Second},
			{"all requests but the last", false, 2, lobbywire.ErrTimeout, 3, 3 * time.Second},
			{"all requests", true, 3, passing, 3, 3 * time.Second},
		} {
			t.Run(fmt.Sprint(passing, ", ", tt.name), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					l := newLab()
					if tt.alive {
						l.serve(t, target(0))
					}
					why := map[netip.AddrPort][]error{target(0): slices.Repeat([]error{passing}, tt.refused)}
					l.Attempts = 3
					l.Scanner.Listen = func(context.Context) (net.PacketConn, error) {
						c, err := l.Network.Listen(netip.MustParseAddrPort("127.0.0.1:0"))
						return refusing{c, why}, err
					}
					start := time.Now()
					var got []Result
					for r := range l.Scan(t.Context(), targets(1)) {
						got = append(got, r)
					}
					took := time.Since(start).Round(10 * time.Millisecond)
					if len(got) != 1 || !errors.Is(got[0].Err, tt.want) || got[0].Attempts != tt.attempts || took != tt.after {
						t.Errorf("%+v after %v", got, took)
					}
				})
			})
		}
	}
}

// A socket of the system reports refused requests too. Linux does not send from a
// loopback address to another machine.
func TestErrorsOfTheSystemAreResults(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems may send")
	}
	s := Scanner{
		Listen: func(ctx context.Context) (net.PacketConn, error) {
			return new(net.ListenConfig).ListenPacket(ctx, "udp4", "127.0.0.1:0")
		},
		Start:       func(netip.AddrPort, int, Exchange) Exchange { return new(echo) },
		MaxDatagram: 16,
		AnswerSize:  16,
		Attempts:    1,
		Timeout:     20 * time.Second,
	}
	s.SetDefaults()
	start := time.Now()
	n := 0
	for r := range s.Scan(t.Context(), slices.Values([]netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:7")})) {
		var errno syscall.Errno
		n++
		if !r.Target.IsValid() || !errors.As(r.Err, &errno) || time.Since(start) > 10*time.Second {
			t.Errorf("%+v after %v", r, time.Since(start))
		}
	}
	if n != 1 {
		t.Errorf("%d results", n)
	}
}
