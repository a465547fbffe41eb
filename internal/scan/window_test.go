package scan

import (
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A link passes linkRate requests a second, keeps some in a queue and drops more. Round
// trips behind it take 80 to 120 ms.
type link struct {
	queue int // 0 means that the link has no limits
	loss  int // percent of the requests that it loses anyway

	mu     sync.Mutex
	random *rand.Rand
	free   time.Time // when the queue is empty

	passed, dropped int
}

const linkRate = 2000

func newLink(queue int, seed uint64) *link {
	return &link{queue: queue, random: rand.New(rand.NewPCG(27, seed))}
}

// pass returns how long a request takes to be answered, and whether it passes.
func (l *link) pass() (delay time.Duration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delay = time.Duration(80+l.random.IntN(40)) * time.Millisecond
	if l.random.IntN(100) < l.loss {
		return 0, false
	}
	if l.queue == 0 {
		return delay, true
	}
	now := time.Now()
	if l.free.Before(now) {
		l.free = now
	}
	const each = time.Second / linkRate
	wait := l.free.Sub(now)
	if wait > time.Duration(l.queue)*each {
		l.dropped++
		return 0, false
	}
	l.passed++
	l.free = l.free.Add(each)
	return wait + delay, true
}

// share passes requests of others, of random intervals, until the returned function is
// called.
func (l *link) share(perSecond int) (stop func()) {
	stopped, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		random := rand.New(rand.NewPCG(27, 5))
		mean := int(time.Second) / perSecond
		for {
			select {
			case <-stopped:
				return
			case <-time.After(time.Duration(1 + random.IntN(2*mean))):
				l.pass()
			}
		}
	}()
	return func() {
		close(stopped)
		<-done
	}
}

// count returns the numbers of requests that have passed and that were dropped.
func (l *link) count() (passed, dropped int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.passed, l.dropped
}

// behind returns a lab whose servers are behind a link. One in every each is alive.
func (l *link) behind(each int) *lab {
	far := newLab()
	far.Start, far.Alike = startNumbered, true
	far.Route = func(p nettest.Packet) []nettest.Packet {
		delay, ok := l.pass()
		if !ok || int(p.To.Addr().As4()[3])%each != 0 {
			return nil
		}
		return []nettest.Packet{{From: p.To, To: p.From, Data: p.Data, Delay: delay}}
	}
	return far
}

// The window opens as long as more answers come back: a window of 256 would take 8 or 24 s.
func TestScanOfFarServersOpensItsWindow(t *testing.T) {
	n := suite.Pick(20_000, 60_000)
	most := suite.Pick(6*time.Second, 9*time.Second)
	for _, each := range []int{1, 4} {
		synctest.Test(t, func(t *testing.T) {
			far := newLink(0, 4).behind(each)
			far.Attempts = 1
			start := time.Now()
			answered := 0
			for r := range far.Scan(t.Context(), targets(n)) {
				if r.Err == nil {
					answered++
				}
			}
			took := time.Since(start)
			t.Logf("1 in %d alive: %v", each, took)
			if answered != n/each || took > most {
				t.Errorf("1 in %d alive: %d answered, after %v", each, answered, took)
			}
		})
	}
}

// Loss that the scan has not caused does not close its window. One of 64 takes 70 s.
func TestForeignLossDoesNotCloseTheWindow(t *testing.T) {
	n := suite.Pick(20_000, 60_000)
	for _, tt := range []struct {
		loss  int
		found float64
		took  time.Duration
	}{
		{5, 0.99, 15 * time.Second},
		{10, 0.98, 25 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			l := newLink(0, 4)
			l.loss = tt.loss
			start := time.Now()
			answered := 0
			for r := range l.behind(1).Scan(t.Context(), targets(n)) {
				if r.Err == nil {
					answered++
				}
			}
			took := time.Since(start)
			found := float64(answered) / float64(n)
			t.Logf("%d %% lost: %.3f found, %v", tt.loss, found, took)
			if found < tt.found || took > tt.took {
				t.Errorf("%d %% lost: %.3f found, after %v", tt.loss, found, took)
			}
		})
	}
}

// A scan backs off on a link that it shares, and uses the remaining capacity. A window of
// 256 uses it too, but a third of all requests are dropped, and one server in five or
// more appears silent.
func TestScanSharesALink(t *testing.T) {
	const n, settled = 30_000, 4 * time.Second
	for _, each := range []int{1, 4} {
		synctest.Test(t, func(t *testing.T) {
			l := newLink(200, 4)
			stop := l.share(500)
			start := time.Now()
			answered, passed, dropped := 0, 0, 0 // the latter until settled
			for r := range l.behind(each).Scan(t.Context(), targets(n)) {
				if r.Err == nil {
					answered++
				}
				if passed == 0 && time.Since(start) > settled {
					passed, dropped = l.count()
				}
			}
			took := time.Since(start) - settled
			stop()
			allPassed, allDropped := l.count()
			passed, dropped = allPassed-passed, allDropped-dropped
			used := float64(passed) / took.Seconds() / linkRate
			lost := float64(dropped) / float64(passed+dropped)
			found := float64(answered) / float64(n/each)
			t.Logf("1 in %d alive: %.3f of the link used, %.3f dropped, %.3f found", each, used, lost, found)
			if used < 0.85 || lost > 0.05 || found < 0.98 {
				t.Errorf("1 in %d alive: %.2f of the link used, %.2f dropped, %.2f found", each, used, lost, found)
			}
		})
	}
}

// A scan waits for servers that share a slow machine, which drops nothing and answers late.
// If servers gave up their places after 100 ms, the queue could grow until all answers come too
// late; with some seeds the scan then finds one in five.
func TestScanFindsServersThatAnswerLate(t *testing.T) {
	const n = 30_000
	for _, each := range []int{1, 4} {
		for seed := range suite.Pick[uint64](1, 5) {
			synctest.Test(t, func(t *testing.T) {
				answered := 0
				for r := range newLink(1<<20, seed).behind(each).Scan(t.Context(), targets(n)) {
					if r.Err == nil {
						answered++
					}
				}
				t.Logf("1 in %d alive, seed %d: %d found", each, seed, answered)
				if answered < n/each*99/100 {
					t.Errorf("1 in %d alive, seed %d: %d of %d found", each, seed, answered, n/each)
				}
			})
		}
	}
}
