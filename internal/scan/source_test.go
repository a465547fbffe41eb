package scan

import (
	"context"
	"errors"
	"iter"
	"net/netip"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A scan does not wait for the next target before it queries the first and yields
// its answer.
func TestScanDoesNotWaitForTargets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		const n = 4
		for i := range n {
			l.serve(t, target(i))
		}
		l.Route = func(p nettest.Packet) []nettest.Packet {
			p.Delay = 10 * time.Millisecond
			return []nettest.Packet{p}
		}
		slow := func(yield func(netip.AddrPort) bool) {
			for i := range n {
				if !yield(target(i)) {
					return
				}
				time.Sleep(2 * time.Second)
			}
		}
		start := time.Now()
		i := 0
		for r := range l.Scan(t.Context(), slow) {
			want := time.Duration(i)*2*time.Second + 40*time.Millisecond
			if at := time.Since(start); r.Err != nil || r.Target != target(i) || r.Attempts != 1 || at != want {
				t.Errorf("result %d after %v, want %v: %+v", i, at, want, r)
			}
			i++
		}
		if end := time.Since(start); i != n || end != n*2*time.Second {
			t.Errorf("%d results, end after %v", i, end)
		}
	})
}

// blocked yields targets and then waits until release is closed. ended reports whether
// it has returned, because no more was needed.
func blocked(release <-chan struct{}, ended *atomic.Bool, targets ...netip.AddrPort) iter.Seq[netip.AddrPort] {
	return func(yield func(netip.AddrPort) bool) {
		for _, target := range targets {
			if !yield(target) {
				return
			}
		}
		<-release
		ended.Store(!yield(target(9)))
	}
}

// A context that is done ends a scan at once, whatever its targets do, and so does
// leaving the loop. The iterator ends when it next yields.
func TestScanEndsWhileItsTargetsAreBlocked(t *testing.T) {
	for _, tt := range []struct {
		name  string
		leave bool
		end   time.Duration
		last  error
	}{
		{"context", false, 300 * time.Millisecond, context.DeadlineExceeded},
		{"break", true, 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLab()
				l.serve(t, target(0))
				ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
				defer cancel()
				release := make(chan struct{})
				var ended atomic.Bool
				start := time.Now()
				var results []Result
				for r := range l.Scan(ctx, blocked(release, &ended, target(0))) {
					results = append(results, r)
					if tt.leave {
						break
					}
				}
				if took := time.Since(start); took != tt.end || results[0].Err != nil ||
					!errors.Is(results[len(results)-1].Err, tt.last) {
					t.Errorf("after %v: %+v", took, results)
				}
				close(release)
				synctest.Wait()
				if !ended.Load() {
					t.Error("the iterator goes on")
				}
			})
		})
	}
}

// With sockets of the system, which one goroutine reads, a scan does not wait either: the
// second target is known only after the answer of the first.
func TestScanOfTheSystemDoesNotWaitForTargets(t *testing.T) {
	servers := echoes(t, 2)
	answered := make(chan struct{}, 1)
	targets := func(yield func(netip.AddrPort) bool) {
		for _, server := range servers {
			if !yield(server) {
				return
			}
			<-answered
		}
	}
	var got []netip.AddrPort
	for r := range systemScanner().Scan(t.Context(), targets) {
		if r.Err != nil || r.Attempts != 1 {
			t.Errorf("%+v", r)
		}
		got = append(got, r.Target)
		answered <- struct{}{}
	}
	if !slices.Equal(got, servers) {
		t.Errorf("got %v, want %v", got, servers)
	}
	release := make(chan struct{})
	var ended atomic.Bool
	for range systemScanner().Scan(t.Context(), blocked(release, &ended, servers...)) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for r := range systemScanner().Scan(ctx, blocked(release, &ended, servers...)) {
		last = r.Err
		cancel()
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("got %v", last)
	}
	close(release)
}

// Targets are read ahead, but not without a bound.
func TestScanReadsTargetsAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		var read atomic.Int64
		endless := func(yield func(netip.AddrPort) bool) {
			for i := 0; yield(target(i)); i++ {
				read.Add(1)
			}
		}
		l.serve(t, target(0))
		for range l.Scan(t.Context(), endless) {
			synctest.Wait()
			break
		}
		if n := read.Load(); n > minWindow+2*readAhead {
			t.Errorf("%d targets were read", n)
		}
	})
}

// Targets that repeat endlessly while they are being queried do not keep the scan from
// reading answers.
func TestEndlessTargetsDoNotDelayAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.serve(t, target(0))
		again := func(yield func(netip.AddrPort) bool) {
			for yield(target(0)) {
			}
		}
		n := 0
		for r := range l.Scan(t.Context(), again) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			n++
			if n == 3 {
				break
			}
		}
	})
}

func TestNilTargetsAreAnError(t *testing.T) {
	n := 0
	for r := range newLab().Scan(t.Context(), nil) {
		n++
		if !errors.Is(r.Err, errNoTargets) || r.Target.IsValid() {
			t.Errorf("%+v", r)
		}
	}
	if n != 1 {
		t.Errorf("%d results", n)
	}
}
