package listcache

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A source is a server with one list. It counts fetches, and answers after a delay or
// with an error.
type source struct {
	takes time.Duration
	err   error
	asked int
	ended int // by its context
}

func (s *source) fetch(ctx context.Context) (int, error) {
	s.asked++
	select {
	case <-time.After(s.takes):
		return s.asked, s.err
	case <-ctx.Done():
		s.ended++
		return 0, context.Cause(ctx)
	}
}

func TestOneFetchForAllWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Cache[int]
		s := source{takes: time.Second}
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if n, err := c.Get(t.Context(), "a", "", 0, s.fetch); n != 1 || err != nil {
					t.Errorf("got %d, %v", n, err)
				}
			})
		}
		wg.Wait()
		if n, err := c.Get(t.Context(), "b", "", 0, s.fetch); n != 2 || err != nil {
			t.Errorf("another list: %d, %v", n, err)
		}
	})
}

func TestFetchesKeepTheInterval(t *testing.T) {
	for _, tt := range []struct {
		every, after time.Duration
		fetches      int
	}{
		{0, 1999 * time.Millisecond, 1},
		{0, 2 * time.Second, 2},
		{time.Minute, 59 * time.Second, 1},
		{time.Minute, time.Minute, 2},
		{-1, 0, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			var c Cache[int]
			s := source{takes: time.Second}
			for range 2 {
				if n, err := c.Get(t.Context(), "", "", tt.every, s.fetch); n != s.asked || err != nil {
					t.Errorf("%v: got %d of %d, %v", tt.every, n, s.asked, err)
				}
				time.Sleep(tt.after)
			}
			if s.asked != tt.fetches {
				t.Errorf("%v: %d fetches, with %v between", tt.every, s.asked, tt.after)
			}
		})
	}
}

// The pause after failures grows, by a random part for each client. It ends with the
// first success.
func TestPauseGrowsWithFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Cache[int]
		down := errors.New("down")
		s := source{err: down}
		var last error
		pause := func() time.Duration {
			for asked, start := s.asked, time.Now(); ; time.Sleep(10 * time.Millisecond) {
				n, err := c.Get(t.Context(), "", "", 0, s.fetch)
				if s.asked > asked {
					last = err
					return time.Since(start)
				}
				if n != asked || err != last {
					t.Fatalf("between: %d, %v", n, err)
				}
			}
		}
		pause()
		uneven := false
		for i, usual := range []time.Duration{2, 4, 8, 16, 32, 60, 60, 60} {
			usual *= time.Second
			got := pause()
			if got < usual*3/4 || got > usual*5/4+10*time.Millisecond {
				t.Errorf("after %d failures: %v", i+1, got)
			}
			uneven = uneven || got < usual-50*time.Millisecond || got > usual+50*time.Millisecond
		}
		if !uneven {
			t.Error("no jitter")
		}
		s.err = nil
		pause()
		s.err = down
		if got := pause(); got != 2*time.Second {
			t.Errorf("after a success: %v", got)
		}
		if got := pause(); got > 2510*time.Millisecond {
			t.Errorf("after the first failure since: %v", got)
		}
	})
}

func TestBackoffIsNotShorterThanTheInterval(t *testing.T) {
	for failures := range 4 {
		if got := backoff(time.Hour, failures); got < 45*time.Minute || got > 75*time.Minute {
			t.Errorf("%d failures: %v", failures, got)
		}
		if got := backoff(-1, failures); got != -1 {
			t.Errorf("%d failures without an interval: %v", failures, got)
		}
	}
}

// The end of one caller does not affect the others.
func TestCallersLeaveOnTheirOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Cache[int]
		s := source{takes: 2 * time.Second}
		why := errors.New("why")
		first, cancel := context.WithCancelCause(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := c.Get(first, "", "", 0, s.fetch); err != why {
				t.Errorf("who left: %v", err)
			}
		})
		synctest.Wait()
		wg.Go(func() {
			if n, err := c.Get(t.Context(), "", "", 0, s.fetch); n != 1 || err != nil {
				t.Errorf("who stayed: %d, %v", n, err)
			}
		})
		time.Sleep(time.Second)
		cancel(why)
		wg.Wait()
		if s.ended != 0 {
			t.Error("the fetch was ended")
		}
	})
}

// A fetch ends with its last caller, which waits for its end. It counts as no failure of
// the server, and the next fetch starts after the interval.
func TestFetchEndsWithItsLastCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Cache[int]
		s := source{takes: time.Second}
		start := time.Now()
		for _, patience := range []time.Duration{100, 200, 300, 1000} {
			ctx, cancel := context.WithTimeout(t.Context(), patience*time.Millisecond)
			if _, err := c.Get(ctx, "", "", 0, s.fetch); err != context.DeadlineExceeded {
				t.Errorf("got %v", err)
			}
			cancel()
			if s.asked != 1 || s.ended != 1 {
				t.Errorf("%d fetches, %d ended", s.asked, s.ended)
			}
		}
		n, err := c.Get(t.Context(), "", "", 0, s.fetch)
		if n != 2 || err != nil || time.Since(start) != 3*time.Second {
			t.Errorf("got %d, %v after %v", n, err, time.Since(start))
		}
	})
}

func TestNoFetchForWhoIsGone(t *testing.T) {
	var c Cache[int]
	var s source
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Get(ctx, "", "", 0, s.fetch); err != context.Canceled || s.asked != 0 {
		t.Errorf("got %v, %d fetches", err, s.asked)
	}
}

type contextKey struct{}

func TestFetchHasValuesAndNoDeadline(t *testing.T) {
	var c Cache[any]
	ctx, cancel := context.WithTimeout(context.WithValue(t.Context(), contextKey{}, "v"), time.Minute)
	defer cancel()
	v, err := c.Get(ctx, "", "", 0, func(ctx context.Context) (any, error) {
		if _, ok := ctx.Deadline(); ok {
			t.Error("a deadline")
		}
		return ctx.Value(contextKey{}), nil
	})
	if v != "v" || err != nil {
		t.Errorf("got %v, %v", v, err)
	}
}

// A fetchLog contains the times of the fetches from each server.
type fetchLog struct {
	mu    sync.Mutex
	times map[string][]time.Time
}

func (l *fetchLog) fetch(server string) func(context.Context) (int, error) {
	return func(context.Context) (int, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.times == nil {
			l.times = map[string][]time.Time{}
		}
		l.times[server] = append(l.times[server], time.Now())
		return len(l.times[server]), nil
	}
}

// check fails if a server was fetched from twice within the default interval.
func (l *fetchLog) check(t *testing.T) {
	t.Helper()
	for server, times := range l.times {
		for i := range times[1:] {
			if d := times[i+1].Sub(times[i]); d < 2*time.Second {
				t.Fatalf("%s: fetch %d is %v after the one before", server, i+1, d)
			}
		}
	}
}

// No server is fetched from more often than the interval allows, whatever the
// number of servers and of lists of each. Memory is bounded, and lists in progress
// are not forgotten.
func TestManyListsKeepTheInterval(t *testing.T) {
	for _, lists := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			var c Cache[int]
			slow := source{takes: time.Minute}
			var wg sync.WaitGroup
			get := func() {
				if n, err := c.Get(t.Context(), "slow", "", 0, slow.fetch); n != 1 || err != nil {
					t.Errorf("slow: %d, %v", n, err)
				}
			}
			wg.Go(get)
			synctest.Wait()
			var log fetchLog
			const servers = 5 * maxLists
			for range 4 {
				for i := range servers {
					server := strconv.Itoa(i)
					for list := range lists {
						wg.Go(func() {
							if n, err := c.Get(t.Context(), server, strconv.Itoa(list), 0, log.fetch(server)); n == 0 ||
								err != nil {
								t.Errorf("%s: %d, %v", server, n, err)
							}
						})
					}
				}
				time.Sleep(700 * time.Millisecond)
			}
			wg.Go(get)
			wg.Wait()
			log.check(t)
			kept := 0
			for _, e := range c.entries {
				if e.hasList() {
					kept++
				}
			}
			if kept != maxLists {
				t.Errorf("%d lists are kept, want %d", kept, maxLists)
			}
			time.Sleep(time.Minute)
			for i := range 3 * servers {
				if _, err := c.Get(t.Context(), "later", strconv.Itoa(i), 0, log.fetch("later")); err != nil {
					t.Error(err)
				}
				time.Sleep(2 * time.Second)
			}
			if n := len(c.entries); n > maxLists+minSweep || len(c.servers) > maxLists+minSweep {
				t.Errorf("%d entries and %d servers", n, len(c.servers))
			}
		})
	}
}

// The lists of one server are fetched one after the other.
func TestListsOfAServerShareItsInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Cache[int]
		var log fetchLog
		var wg sync.WaitGroup
		start := time.Now()
		for list := range 5 {
			wg.Go(func() { c.Get(t.Context(), "a", strconv.Itoa(list), 0, log.fetch("a")) })
		}
		wg.Go(func() { c.Get(t.Context(), "b", "", 0, log.fetch("b")) })
		wg.Wait()
		log.check(t)
		if len(log.times["a"]) != 5 || time.Since(start) != 8*time.Second || !log.times["b"][0].Equal(start) {
			t.Errorf("%v after %v", log.times, time.Since(start))
		}
	})
}

// After a failure, the other lists of the server are not fetched either until the
// back-off ends.
func TestListsOfAServerShareItsBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Cache[int]
		down := errors.New("down")
		var fetches int
		fetch := func(context.Context) (int, error) { fetches++; return 0, down }
		for second := range 600 {
			for list := range 10 {
				if _, err := c.Get(t.Context(), "a", strconv.Itoa(list), 0, fetch); err != down {
					t.Fatalf("second %d: %v", second, err)
				}
			}
			time.Sleep(time.Second)
		}
		// 2, 4, 8, 16, 32 and 60 s pass, each up to a quarter more or less.
		if fetches < 11 || fetches > 20 {
			t.Errorf("%d fetches in 10 minutes", fetches)
		}
		// A list that waits while the server fails gets that failure.
		time.Sleep(5 * time.Minute)
		var wg sync.WaitGroup
		start := time.Now()
		for list := range 3 {
			wg.Go(func() {
				if _, err := c.Get(t.Context(), "a", strconv.Itoa(list), 0, fetch); err != down {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if waited := time.Since(start); waited > 3*time.Second {
			t.Errorf("waited %v", waited)
		}
	})
}
