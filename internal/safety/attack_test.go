//go:build linux

package safety_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// An hour of it also needs -timeout 0.
var attackFor = flag.Duration("attack", 500*time.Millisecond, "how `long` TestAttack attacks all servers")

// The bounds of TestAttack.
const (
	minAnswered  = 0.95      // of the requests of honest clients
	maxHeapGrown = 256 << 20 // while under attack
	maxHeapLeft  = 8 << 20   // after it
	maxLeft      = 2         // goroutines and descriptors after it
)

// A target is a server under attack.
type target struct {
	name   string
	honest func(ctx context.Context) error
	attack []func(ctx context.Context, sent *atomic.Int64) // each has a goroutine

	sent, asked, answered atomic.Int64
	failure               atomic.Pointer[string] // the last one
}

// usage is what the process uses.
type usage struct {
	heap                    uint64
	goroutines, descriptors int
}

func (u usage) String() string {
	return fmt.Sprintf("%d KiB of heap, %d goroutines, %d descriptors", u.heap>>10, u.goroutines, u.descriptors)
}

func used(t testing.TB) usage {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fds, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	return usage{m.HeapAlloc, runtime.NumGoroutine(), len(fds)}
}

// All servers on loopback, at once, under floods from other addresses, from sources
// forged in memory, from slow peers and from peers that send malformed messages:
// they keep answering honest clients, use bounded memory, and leave nothing behind.
func TestAttack(t *testing.T) {
	if testing.Short() {
		t.Skip("uses all processors")
	}
	messages := datagrams(t)
	before := used(t)
	targets, stop := attacked(t, messages)
	peak := run(t, targets)
	stop()

	var table strings.Builder
	fmt.Fprintf(&table, "%-45s %10s %8s %8s\n", "server", "sent to it", "honest", "answered")
	for _, s := range targets {
		asked, answered := s.asked.Load(), s.answered.Load()
		fmt.Fprintf(&table, "%-45s %10d %8d %8d\n", s.name, s.sent.Load(), asked, answered)
		// One may be lost in a short attack on a busy machine, which asks only a few.
		missed := asked - answered
		if asked == 0 || s.sent.Load() == 0 || missed > 1 && float64(answered) < minAnswered*float64(asked) {
			text := ""
			if failure := s.failure.Load(); failure != nil {
				text = *failure
			}
			t.Errorf("%s: %d of %d honest requests answered under %d hostile ones: %s", s.name, answered, asked,
				s.sent.Load(), text)
		}
	}
	after := used(t)
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end) &&
		after.goroutines > before.goroutines+maxLeft; after = used(t) {
		time.Sleep(50 * time.Millisecond)
	}
	t.Logf("%v\n%sbefore: %v\npeak:   %v\nafter:  %v", *attackFor, table.String(), before, peak, after)
	if grown := int64(peak.heap) - int64(before.heap); grown > maxHeapGrown {
		t.Errorf("heap grew by %d bytes under attack, want up to %d", grown, maxHeapGrown)
	}
	if left := int64(after.heap) - int64(before.heap); left > maxHeapLeft {
		t.Errorf("%d bytes of heap left, want up to %d", left, maxHeapLeft)
	}
	if after.goroutines > before.goroutines+maxLeft || after.descriptors > before.descriptors+maxLeft {
		t.Errorf("before: %v, after: %v", before, after)
	}
}

// run attacks for the time of the flag. It returns the most that was used.
func run(t *testing.T, targets []*target) (peak usage) {
	ctx, cancel := context.WithTimeout(t.Context(), *attackFor)
	defer cancel()
	var wait sync.WaitGroup
	for _, s := range targets {
		for _, attack := range s.attack {
			wait.Go(func() { attack(ctx, &s.sent) })
		}
		wait.Go(func() {
			for every(ctx, 100*time.Millisecond) {
				s.asked.Add(1)
				// A request that has begun may end.
				if err := s.honest(context.WithoutCancel(ctx)); err != nil {
					text := err.Error()
					s.failure.Store(&text)
					continue
				}
				s.answered.Add(1)
			}
		})
	}
	for every(ctx, 200*time.Millisecond) {
		now := used(t)
		peak = usage{max(peak.heap, now.heap), max(peak.goroutines, now.goroutines),
			max(peak.descriptors, now.descriptors)}
	}
	wait.Wait()
	return peak
}

// every waits and reports whether ctx is not done.
func every(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
