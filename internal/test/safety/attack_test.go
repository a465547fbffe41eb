//go:build linux

package safety_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// An hour of it also needs -timeout 0.
// attackFor is how long TestAttack attacks all servers.
var attackFor = suite.Pick(500*time.Millisecond, time.Minute)

// The bounds of TestAttack.
const (
	minAnswered  = 0.95 // of the requests of honest clients
	maxSlower    = 10   // times the median of idle servers
	maxMedian    = 50 * time.Millisecond
	unnoticed    = 20 * time.Millisecond // a shorter median is never too long
	minJudged    = 2 * time.Second       // of an attack
	maxHeapGrown = 256 << 20             // while under attack
	maxHeapLeft  = 8 << 20               // after it
	maxLeft      = 2                     // goroutines and descriptors after it
)

// A target is a server under attack.
type target struct {
	name   string
	honest func(ctx context.Context) error
	attack []func(ctx context.Context, sent *atomic.Int64) // each has a goroutine

	// strange is set if the server does not know the honest clients. Their figures are
	// only reported.
	strange bool

	sent                atomic.Int64
	before, peak, after answers
}

// All servers are attacked on loopback at the same time: by floods from other addresses and
// from forged ones, by slow peers, by peers that send malformed messages, and, in the
// second half of the time, by peers that request as much work, memory and connections as
// they can. The servers keep answering honest clients nearly as fast as before, use bounded
// memory, and leave nothing behind.
//
// Attackers, honest clients and servers share the processors with each other and with other
// programs. An echo server that nobody attacks shows what that costs: its median has the
// same limit, and is added to the limits of the others. All limits of medians are stretched
// by the part of the processors that other programs take. If they take more than half, the
// answers to honest clients are only reported, because they depend mostly on the other
// programs. The medians and hostile requests of a short attack are only reported too, because
// all attackers connect at its beginning.
func TestAttack(t *testing.T) {
	t.Run("messages", func(t *testing.T) { siege(t, attacked) })
	t.Run("work", func(t *testing.T) {
		if raceDetector {
			t.Skip("budgets count steps, which take ten times as long with the race detector")
		}
		siege(t, attackedWork)
	})
}

// siege attacks the targets that begin starts, for half of the time of the flag.
func siege(t *testing.T, begin func(t *testing.T, messages [][]byte) (targets []*target, stop func())) {
	messages := datagrams(t)
	start := used(t)
	targets, stop := begin(t, messages)
	attackFor := max(attackFor/2, 500*time.Millisecond)
	quiet := max(attackFor/12, 500*time.Millisecond)
	before := run(t, targets, quiet, func(s *target) *answers { return &s.before }, false)
	peak := run(t, targets, attackFor, func(s *target) *answers { return &s.peak }, true)
	after := run(t, targets, quiet, func(s *target) *answers { return &s.after }, false)
	stop()

	var table strings.Builder
	fmt.Fprintf(&table, "%-60s %8s %14s %14s %14s\n", "server", "hostile", "before", "peak", "after")
	for _, s := range targets {
		fmt.Fprintf(&table, "%-60s %8d %14v %14v %14v\n", s.name, s.sent.Load(), &s.before, &s.peak, &s.after)
		if !s.strange {
			s.judge(t, targets[0], peak, after)
		}
	}
	targets, stop = nil, nil // they hold the memory of the servers
	end := used(t)
	for wait := time.Now().Add(10 * time.Second); time.Now().Before(wait) &&
		(end.goroutines > start.goroutines+maxLeft || end.heap > start.heap+maxHeapLeft); end = used(t) {
		time.Sleep(50 * time.Millisecond)
	}
	t.Logf("%v\n%sstart:  %v\nbefore: %v\npeak:   %v\nafter:  %v\nend:    %v", attackFor, table.String(),
		start, before, peak, after, end)
	if grown := int64(peak.heap) - int64(start.heap); grown > maxHeapGrown {
		t.Errorf("heap grew by %d bytes under attack, want up to %d", grown, maxHeapGrown)
	}
	if left := int64(end.heap) - int64(start.heap); left > maxHeapLeft {
		t.Errorf("%d bytes of heap left, want up to %d", left, maxHeapLeft)
	}
	if end.goroutines > start.goroutines+maxLeft || end.descriptors > start.descriptors+maxLeft {
		t.Errorf("start: %v, end: %v", start, end)
	}
}

// judge compares what honest clients got with what they should get.
func (s *target) judge(t *testing.T, echo *target, peak, after phase) {
	if peak.planned >= minJudged && len(s.attack) > 0 && s.sent.Load() == 0 {
		t.Errorf("%s: no hostile requests", s.name)
	}
	for _, p := range []struct {
		name string
		got  *answers
		echo *answers
		phase
	}{{"under attack", &s.peak, &echo.peak, peak}, {"after it", &s.after, &echo.after, after}} {
		if p.othersTakeMost() {
			continue
		}
		if p.got.areMissing() {
			t.Errorf("%s: %d of %d honest requests answered %s: %v", s.name, len(p.got.times), p.got.asked, p.name,
				p.got.failure)
		}
		if p.planned < minJudged {
			continue
		}
		limit := min(max(maxSlower*s.before.median(), unnoticed), maxMedian+s.before.median())
		if s != echo {
			limit += p.echo.median()
		}
		limit = p.stretch(limit)
		if p.got.median() > limit {
			t.Errorf("%s: median %v %s, want up to %v; before: %v", s.name, p.got.median(), p.name, limit, s.before.median())
		}
	}
}

// run lets honest clients ask, and attackers attack if attacks is set.
func run(t *testing.T, targets []*target, d time.Duration, of func(s *target) *answers, attacks bool) phase {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	var wait sync.WaitGroup
	for _, s := range targets {
		if attacks {
			for _, attack := range s.attack {
				wait.Go(func() { attack(ctx, &s.sent) })
			}
		}
		wait.Go(func() { of(s).ask(ctx, s.honest) })
	}
	p := watch(ctx, t)
	p.planned = d
	wait.Wait()
	return p
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
