package udp

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// demanding returns a Server with a Refresh, which has a clock from now on.
func demanding(refresh func()) *Server {
	s := &Server{Refresh: refresh}
	return s.Start(func() {})
}

func TestRefreshHasPauses(t *testing.T) {
	for _, tt := range []struct {
		takes time.Duration
		want  int // calls in 10 s
	}{
		{0, 100},
		{50 * time.Millisecond, 67},  // a call and a pause take 150 ms
		{time.Second, 5},             // a call and a pause take 2 s
		{100 * time.Millisecond, 50}, // a call and a pause take 200 ms
	} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			s := demanding(func() {
				calls++
				time.Sleep(tt.takes)
			})
			for began := time.Now(); time.Since(began) < 10*time.Second; time.Sleep(time.Millisecond) {
				now := time.Now()
				for range 3 { // as in a batch, which has one time
					s.Demand(now)
				}
			}
			if calls < tt.want-2 || calls > tt.want {
				t.Errorf("a Refresh of %v is called %d times, want %d", tt.takes, calls, tt.want)
			}
		})
	}
}

// Before the first Refresh there is no state, so every goroutine waits for it.
func TestFirstRefreshIsAwaited(t *testing.T) {
	var calls, waiting atomic.Int64
	const goroutines = 4
	s := demanding(func() {
		for waiting.Load() < goroutines {
			runtime.Gosched()
		}
		calls.Add(1)
	})
	var all sync.WaitGroup
	for range goroutines {
		all.Go(func() {
			waiting.Add(1)
			s.Demand(time.Now())
			if calls.Load() != 1 {
				t.Errorf("%d calls", calls.Load())
			}
		})
	}
	all.Wait()
}

func TestLaterRefreshBlocksNoOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		s := demanding(func() {
			if calls++; calls > 1 {
				time.Sleep(time.Second)
			}
		})
		s.Demand(time.Now())
		time.Sleep(refreshEvery)
		go s.Demand(time.Now())
		synctest.Wait()
		began := time.Now()
		s.Demand(began)
		if waited := time.Since(began); waited > 0 || calls != 2 {
			t.Errorf("waited %v, %d calls", waited, calls)
		}
		time.Sleep(time.Second)
	})
}

// A caller of Respond that recovers from a panic of its Refresh can go on.
func TestRefreshWorksAfterAPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		s := demanding(func() {
			if calls++; calls == 1 {
				panic("no game")
			}
		})
		func() {
			defer func() { _ = recover() }()
			s.Demand(time.Now())
		}()
		s.Demand(time.Now()) // has a pause, too
		time.Sleep(refreshEvery)
		s.Demand(time.Now())
		if calls != 2 {
			t.Errorf("%d calls, want 2", calls)
		}
	})
}
