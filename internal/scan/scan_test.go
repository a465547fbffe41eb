package scan

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// echo is a conversation of two requests, each answered with its copy; the
// second answer comes in two parts.
type echo struct {
	step, parts byte
}

func (e *echo) Request(dst []byte) []byte { return append(dst, e.step) }

func (e *echo) Receive(b []byte) (Verdict, error) {
	switch {
	case len(b) != 1 || b[0] != e.step:
		return Stray, nil
	case e.step == 0:
		e.step++
		return Next, nil
	case e.parts == 0:
		e.parts++
		return More, nil
	}
	return Done, nil
}

// lab is a network with echo servers and a scanner.
type lab struct {
	nettest.Network
	Scanner
}

func newLab() *lab {
	l := new(lab)
	l.Scanner = Scanner{
		Listen: func(context.Context) (net.PacketConn, error) {
			return l.Network.Listen(netip.MustParseAddrPort("127.0.0.1:0"))
		},
		Dial:        l.Network.Dial,
		Start:       func(netip.AddrPort, int, Exchange) Exchange { return new(echo) },
		MaxDatagram: 16,
		AnswerSize:  16,
		Attempts:    2,
		Timeout:     time.Second,
	}
	return l
}

// serve answers at addr until the test ends.
func (l *lab) serve(t *testing.T, addr netip.AddrPort) {
	t.Helper()
	pc, err := l.Network.Listen(addr)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 16)
		for {
			n, from, err := pc.ReadFrom(buf)
			if err != nil {
				return
			}
			pc.WriteTo(buf[:n], from)
			if buf[0] == 1 {
				pc.WriteTo(buf[:n], from)
			}
		}
	}()
	t.Cleanup(func() {
		pc.Close()
		<-done
	})
}

func target(i int) netip.AddrPort {
	var a [4]byte
	binary.BigEndian.PutUint32(a[:], 0xc6120000+uint32(i))
	return netip.AddrPortFrom(netip.AddrFrom4(a), 7000)
}

// The scan waits for silent targets together, uses memory only for targets in flight, and
// does not delay servers that answer.
func TestSilentTargetsHoldNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.serve(t, target(0))
		const n = 20_000
		start := time.Now()
		var answered, silent int
		targets := func(yield func(netip.AddrPort) bool) {
			for i := range n {
				if !yield(target(i)) {
					return
				}
			}
		}
		for r := range l.Scan(t.Context(), targets) {
			switch {
			case r.Err == nil:
				answered++
			case errors.Is(r.Err, lobbywire.ErrTimeout) && r.Attempts == 2:
				silent++
			default:
				t.Errorf("%v: %v after %d attempts", r.Target, r.Err, r.Attempts)
			}
		}
		if answered != 1 || silent != n-1 {
			t.Errorf("%d answered, %d silent", answered, silent)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

func TestATargetIsAskedOnceAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.serve(t, target(0))
		mapped := netip.AddrPortFrom(netip.AddrFrom16(target(0).Addr().As16()), 7000)
		n := 0
		for r := range l.Scan(t.Context(), slices.Values([]netip.AddrPort{target(0), target(0), mapped})) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			n++
		}
		if n != 1 {
			t.Errorf("%d results for one target", n)
		}
	})
}

// If no socket can be opened, the scan returns the error.
func TestScanFailsWithoutASocket(t *testing.T) {
	want := errors.New("no socket")
	l := newLab()
	l.Scanner.Listen = func(context.Context) (net.PacketConn, error) { return nil, want }
	n := 0
	for r := range l.Scan(t.Context(), func(yield func(netip.AddrPort) bool) { yield(target(0)) }) {
		n++
		if !errors.Is(r.Err, want) || r.Target.IsValid() {
			t.Errorf("got %+v", r)
		}
	}
	if n != 1 {
		t.Errorf("%d results", n)
	}
}

// Datagrams that this machine has dropped are not reported as silence.
func TestExpireTellsLostFromSilent(t *testing.T) {
	now := time.Now()
	for _, tt := range []struct {
		dropped uint64
		want    error
	}{{0, lobbywire.ErrTimeout}, {1, lobbywire.ErrLost}} {
		var got error
		s := newLab().Scanner
		s.Attempts = 1
		e := &engine{
			Scanner: &s,
			yield: func(r Result) bool {
				got = r.Err
				return true
			},
			queues: queues{flights: map[netip.AddrPort]*flight{}},
		}
		f := &flight{target: target(0), attempts: []attempt{{socket: &socket{dropped: tt.dropped}}},
			sent: now.Add(-time.Minute)}
		f.peer = f.target
		e.flights[f.peer] = f
		e.overdue.add(f)
		if err := e.expire(now); err != nil || got != tt.want || len(e.flights) != 0 {
			t.Errorf("%d dropped: %v, %v", tt.dropped, got, err)
		}
	}
}

func TestAskReturnsTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.serve(t, target(0))
		l.Route = func(p nettest.Packet) []nettest.Packet {
			p.Delay = 10 * time.Millisecond
			return []nettest.Packet{p}
		}
		r, err := l.Ask(t.Context(), target(0).String())
		if err != nil || r.Attempts != 1 || r.RTT != 20*time.Millisecond || r.Target != target(0) {
			t.Errorf("got %+v, %v", r, err)
		}
	})
}

// Parts that never make a whole do not move the deadline.
func TestEndlessPartsDoNotMoveTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.Start = func(netip.AddrPort, int, Exchange) Exchange { return endless{} }
		l.serve(t, target(0))
		l.Route = func(p nettest.Packet) []nettest.Packet {
			var parts []nettest.Packet
			for i := range 100 {
				p.Delay = time.Duration(i) * 100 * time.Millisecond
				parts = append(parts, p)
			}
			return parts
		}
		start := time.Now()
		if _, err := l.Ask(t.Context(), target(0).String()); !errors.Is(err, lobbywire.ErrTimeout) ||
			time.Since(start) != 2*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

// endless is a conversation that accepts every datagram and never ends.
type endless struct{}

func (endless) Request(dst []byte) []byte       { return append(dst, 0) }
func (endless) Receive([]byte) (Verdict, error) { return More, nil }

// An answer without an end mark is complete when no more of it arrives for a while, or at
// the deadline.
func TestSilenceCompletesAnAnswer(t *testing.T) {
	for _, tt := range []struct {
		name  string
		parts int
		want  time.Duration
	}{{"ends", 3, 400 * time.Millisecond}, {"goes on", 100, time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			l := newLab()
			l.Settle = 200 * time.Millisecond
			l.Start = func(netip.AddrPort, int, Exchange) Exchange { return doubtful{} }
			l.serve(t, target(0))
			l.Route = func(p nettest.Packet) []nettest.Packet {
				if p.To == target(0) {
					return []nettest.Packet{p}
				}
				var parts []nettest.Packet
				for i := range tt.parts {
					p.Delay = time.Duration(i) * 100 * time.Millisecond
					parts = append(parts, p)
				}
				return parts
			}
			start := time.Now()
			r, err := l.Ask(t.Context(), target(0).String())
			if err != nil || r.Attempts != 1 || time.Since(start) != tt.want {
				t.Errorf("%s: %+v, %v after %v", tt.name, r, err, time.Since(start))
			}
			n := 0
			for r := range l.Scan(t.Context(), func(yield func(netip.AddrPort) bool) { yield(target(0)) }) {
				n++
				if r.Err != nil || r.Attempts != 1 {
					t.Errorf("%s: scan: %+v", tt.name, r)
				}
			}
			if n != 1 {
				t.Errorf("%s: %d results of a scan", tt.name, n)
			}
		})
	}
}

// doubtful is an exchange of one request and an answer without an end mark.
type doubtful struct{}

func (doubtful) Request(dst []byte) []byte       { return append(dst, 0) }
func (doubtful) Receive([]byte) (Verdict, error) { return Maybe, nil }

func TestRTTFollowsTheSamples(t *testing.T) {
	const ms = time.Millisecond
	var r rtt
	if got := r.likely(5*ms, 100*ms, 200*ms); got != 100*ms {
		t.Errorf("unknown: %v", got)
	}
	if got := r.likely(5*ms, 100*ms, 50*ms); got != 50*ms {
		t.Errorf("unknown, bounded above: %v", got)
	}
	r.add(40 * ms)
	if got := r.likely(5*ms, 100*ms, 200*ms); got != 120*ms {
		t.Errorf("after the first: %v", got)
	}
	for range 100 {
		r.add(40 * ms)
	}
	if got := r.likely(5*ms, 100*ms, 200*ms); got < 40*ms || got > 41*ms {
		t.Errorf("after many: %v", got)
	}
	if got := r.likely(60*ms, 100*ms, 200*ms); got != 60*ms {
		t.Errorf("bounded below: %v", got)
	}
}

func someTargets(n int) []netip.AddrPort {
	targets := make([]netip.AddrPort, n)
	for i := range targets {
		targets[i] = target(i)
	}
	return targets
}
