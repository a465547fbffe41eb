//go:build linux

package safety_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// answers are what honest clients of a server get in a phase of an attack.
type answers struct {
	asked   int
	times   []time.Duration // of those answered
	failure error           // the last one
}

// ask asks until ctx is done, ten times a second: masters limit the lists of a source.
func (a *answers) ask(ctx context.Context, honest func(ctx context.Context) error) {
	for every(ctx, 100*time.Millisecond) {
		a.asked++
		start := time.Now()
		if err := honest(context.WithoutCancel(ctx)); err != nil { // a request that has begun may end
			a.failure = err
			continue
		}
		a.times = append(a.times, time.Since(start))
	}
}

// median returns the median of the times.
func (a *answers) median() time.Duration {
	if len(a.times) == 0 {
		return 0
	}
	slices.Sort(a.times)
	return a.times[len(a.times)/2]
}

// areMissing reports whether too few answers arrived. One may be lost in a short attack on
// a busy machine, which asks only a few.
func (a *answers) areMissing() bool {
	missed := a.asked - len(a.times)
	return missed > 1 && float64(len(a.times)) < minAnswered*float64(a.asked)
}

func (a *answers) String() string {
	if a.asked == 0 {
		return "-"
	}
	return fmt.Sprintf("%3d%% %v", 100*len(a.times)/a.asked, a.median().Round(10*time.Microsecond))
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

// A phase holds the maximum that the process used in a phase of an attack, and the
// processors that it and others took.
type phase struct {
	usage
	planned     time.Duration // it takes longer on a slow machine
	own, others float64       // processors, on average
}

func (p phase) String() string {
	return fmt.Sprintf("%v, %.2f of %d processors, others %.2f", p.usage, p.own, runtime.NumCPU(), p.others)
}

// othersTakeMost reports whether other programs take more than half of the processors.
func (p phase) othersTakeMost() bool { return p.others > float64(runtime.NumCPU())/2 }

// stretch returns a time that is longer by what other programs take.
func (p phase) stretch(d time.Duration) time.Duration {
	all := float64(runtime.NumCPU())
	return time.Duration(float64(d) * all / (all - p.others))
}

// watch returns the phase that ends with ctx.
func watch(ctx context.Context, t testing.TB) (p phase) {
	start, own, all := time.Now(), processorTime(t), busyTime(t)
	for every(ctx, 200*time.Millisecond) {
		now := used(t)
		p.usage = usage{max(p.heap, now.heap), max(p.goroutines, now.goroutines), max(p.descriptors, now.descriptors)}
	}
	took := time.Since(start).Seconds()
	p.own = (processorTime(t) - own).Seconds() / took
	p.others = max((busyTime(t)-all).Seconds()/took-p.own, 0)
	return p
}

// processorTime returns the processor time of the process.
func processorTime(t testing.TB) time.Duration {
	var r syscall.Rusage
	must(t, syscall.Getrusage(syscall.RUSAGE_SELF, &r))
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// busyTime returns how long the processors have worked, or were taken by other machines.
func busyTime(t testing.TB) (busy time.Duration) {
	text, err := os.ReadFile("/proc/stat")
	must(t, err)
	line, _, _ := strings.Cut(string(text), "\n")
	var user, nice, system, idle, wait, hard, soft, steal int64 // in hundredths of a second
	_, err = fmt.Sscanf(line, "cpu %d %d %d %d %d %d %d %d", &user, &nice, &system, &idle, &wait, &hard, &soft, &steal)
	must(t, err)
	return time.Duration(user+nice+system+hard+soft+steal) * 10 * time.Millisecond
}
