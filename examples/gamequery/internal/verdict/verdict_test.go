package verdict_test

import (
	"context"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/verdict"
	"github.com/lobbywire/lobbywire/examples/internal/traffictest"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A server returns the answers to a datagram, whose bytes it may change.
type server func(request []byte) [][]byte

// start runs a server until the test ends.
func start(t *testing.T, answer server) netip.AddrPort {
	t.Helper()
	pc, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b := make([]byte, 2048)
		for {
			n, from, err := pc.ReadFromUDPAddrPort(b)
			if err != nil {
				return
			}
			for _, datagram := range answer(b[:n]) {
				if _, err := pc.WriteToUDPAddrPort(datagram, from); err != nil {
					return
				}
			}
		}
	}()
	t.Cleanup(func() {
		pc.Close()
		<-done
	})
	return pc.LocalAddr().(*net.UDPAddr).AddrPort()
}

// always answers everything with the same datagram.
func always(datagram string) server {
	return func([]byte) [][]byte { return [][]byte{[]byte(datagram)} }
}

func nothing([]byte) [][]byte { return nil }

// after sends a stray before each answer to a challenge request, or none.
func after(stray string, s server) server {
	return func(request []byte) [][]byte {
		if request[0] == 0 {
			return append([][]byte{[]byte(stray)}, s(request)...)
		}
		return s(request)
	}
}

// sqp answers challenge requests, and queries with a datagram unless it is nil.
func sqp(datagram []byte) server {
	return func(request []byte) [][]byte {
		switch {
		case request[0] == 0:
			return [][]byte{{0, 1, 2, 3, 4}}
		case datagram == nil:
			return nil
		}
		return [][]byte{append([]byte{1, 1, 2, 3, 4}, datagram[5:]...)}
	}
}

// losing loses the first requests to a server.
func losing(n int, s server) server {
	return func(request []byte) [][]byte {
		n--
		if n >= 0 {
			return nil
		}
		return s(request)
	}
}

func ask(t *testing.T, name string, at netip.AddrPort, slow time.Duration) verdict.Finding {
	t.Helper()
	p, _ := protocols.Named(name)
	judge := verdict.Judge{Slow: slow, Row: verdict.DefaultRow}
	return judge.Query(tap.Sockets{}, func(via tap.Sockets) output.Answer {
		a := protocols.Settings{Sockets: via, Chunks: 1, Ask: "auto", Timeout: 100 * time.Millisecond, Attempts: 2}
		got, _ := p.AskAt(t.Context(), []netip.Addr{at.Addr()}, at.Port(), a)
		return got
	})
}

func TestVerdictsFollowTheAnswers(t *testing.T) {
	info := traffictest.Golden(t, "sqp/testdata/golden/answer_info.hex")
	const a2s = "\xff\xff\xff\xffI\x11name\x00map\x00folder\x00game\x00"
	for _, tt := range []struct {
		name, protocol string
		server         server
		slow           time.Duration
		want           verdict.Verdict
	}{
		{"healthy", "sqp", sqp(info), time.Minute, verdict.Up},
		{"late", "sqp", sqp(info), 0, verdict.Slow},
		{"a lost datagram", "sqp", losing(1, sqp(info)), time.Minute, verdict.Up},
		{"nothing", "sqp", nothing, time.Minute, verdict.Silent},
		{"an empty datagram", "sqp", always(""), time.Minute, verdict.Other},
		{"cut", "sqp", sqp(info[:len(info)-9]), time.Minute, verdict.Unreadable},
		{"malformed", "sqp", sqp([]byte("\x01\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff")), time.Minute, verdict.Unreadable},
		{"the other form", "gameagent", always(`\hostname\a\numplayers\0\final\`), time.Minute, verdict.Unreadable},
		{"challenges only", "sqp", always("\x00\x01\x02\x03\x04"), time.Minute, verdict.Sick},
		{"challenges after strays", "sqp", after("hello", sqp(nil)), time.Minute, verdict.Sick},
		{"healthy after strays", "sqp", after("\x00", sqp(info)), time.Minute, verdict.Up},
		{"cut after strays", "sqp", after(a2s, sqp(info[:len(info)-9])), time.Minute, verdict.Unreadable},
		{"nothing but a stray", "sqp", after("hello", nothing), time.Minute, verdict.Other},
		{"another protocol", "sqp", always(a2s), time.Minute, verdict.Other},
		{"the first GameSpy protocol", "sqp", always(`\hostname\a\gamename\b\final\`), time.Minute, verdict.Other},
		{"an echo", "gamespy2", func(b []byte) [][]byte { return [][]byte{b} }, time.Minute, verdict.Other},
		{"another protocol for gamespy2", "gamespy2", always(a2s), time.Minute, verdict.Other},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ask(t, tt.protocol, start(t, tt.server), tt.slow)
			if got.Verdict != tt.want {
				t.Errorf("%s: %v, want %s", got.Verdict, got.Err, tt.want)
			}
		})
	}
}

// A closed port is refused at once, and a query that fails here says nothing.
func TestClosedPortsAreRefused(t *testing.T) {
	closed := netip.MustParseAddrPort(nettest.ClosedUDP(t))
	if got := ask(t, "sqp", closed, time.Minute); got.Verdict != verdict.Refused {
		t.Errorf("closed port: %s, %v", got.Verdict, got.Err)
	}
	for _, err := range []error{&net.DNSError{Err: "no such host"}, lobbywire.ErrLost, context.Canceled} {
		if got := verdict.Of(output.Answer{Protocol: "sqp", Err: err}, nil, time.Minute); got != verdict.Unknown {
			t.Errorf("%v: %s", err, got)
		}
	}
}

// A server is down after failures in a row, and only then.
func TestDownAfterFailuresInARow(t *testing.T) {
	judge := verdict.Judge{Row: 3}
	const up, slow, silent, refused, sick, other, unknown = verdict.Up, verdict.Slow, verdict.Silent, verdict.Refused,
		verdict.Sick, verdict.Other, verdict.Unknown
	for _, tt := range []struct {
		all  []verdict.Verdict
		down bool
	}{
		{nil, false},
		{[]verdict.Verdict{silent, silent}, false},
		{[]verdict.Verdict{silent, silent, silent}, true},
		{[]verdict.Verdict{silent, refused, sick}, true},
		{[]verdict.Verdict{silent, silent, up, silent}, false},
		{[]verdict.Verdict{silent, silent, slow, silent}, false},
		{[]verdict.Verdict{silent, unknown, silent, other, silent}, true},
		{[]verdict.Verdict{unknown, unknown, unknown, other, other, other}, false},
		{[]verdict.Verdict{silent, silent, silent, up}, false},
	} {
		var row verdict.Row
		for _, v := range tt.all {
			row.Add(v)
		}
		if got := judge.IsDown(row); got != tt.down {
			t.Errorf("%v: down %v", tt.all, got)
		}
	}
}

// A failure is confirmed before it counts, and an answer ends the queries.
func TestFailureIsConfirmed(t *testing.T) {
	for _, tt := range []struct {
		name    string
		answers []verdict.Verdict
		limit   time.Duration
		last    verdict.Verdict
		asked   int
		down    bool
	}{
		{"healthy", []verdict.Verdict{verdict.Up}, time.Minute, verdict.Up, 1, false},
		{"after a pause", []verdict.Verdict{verdict.Silent, verdict.Up}, time.Minute, verdict.Up, 2, false},
		{"down", []verdict.Verdict{verdict.Refused, verdict.Silent, verdict.Silent}, time.Minute, verdict.Silent, 3, true},
		{"another protocol", []verdict.Verdict{verdict.Other}, time.Minute, verdict.Other, 1, false},
		{"no time", []verdict.Verdict{verdict.Silent, verdict.Silent}, 700 * time.Millisecond, verdict.Silent, 2, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), tt.limit)
				defer cancel()
				judge, asked := verdict.Judge{Row: 3}, 0
				last, row := judge.Confirm(ctx, func(context.Context) verdict.Finding {
					asked++
					return verdict.Finding{Verdict: tt.answers[asked-1]}
				})
				if last.Verdict != tt.last || asked != tt.asked || judge.IsDown(row) != tt.down {
					t.Errorf("%s after %d, down %v", last.Verdict, asked, judge.IsDown(row))
				}
			})
		})
	}
}
