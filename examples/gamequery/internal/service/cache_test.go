package service

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// The cache never exceeds its room: it removes the oldest results, and does not keep a result
// that is larger than the room.
func TestCacheKeepsItsRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := cache[int, int]{keep: time.Hour, room: 10}
		makes := 0
		get := func(key, size int) origin {
			_, from, err := c.get(t.Context(), key, func(context.Context, *int) (int, error) {
				makes++
				return size, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			kept := 0
			for _, e := range c.entries {
				kept += e.size
			}
			if kept != c.size || kept > c.room || len(c.oldest) != len(c.entries) {
				t.Errorf("%d bytes of %d entries are kept, %d counted", kept, len(c.entries), c.size)
			}
			return from
		}
		for key := range 100 {
			get(key, 1+key%5)
		}
		if from := get(99, 5); from != cached {
			t.Error("the last is not kept")
		}
		if from := get(1, 1); from != made {
			t.Error("one of the first is kept")
		}
		get(1000, 11)
		if from := get(1000, 11); from != made {
			t.Error("more than the room is kept")
		}
		if from := get(99, 5); from != cached {
			t.Error("a result that is not kept takes the place of others")
		}
		time.Sleep(time.Hour)
		get(1, 1)
		if len(c.entries) != 1 {
			t.Errorf("%d entries are kept too long", len(c.entries)-1)
		}
	})
}

// Over hours, the cache keeps only recent results: no old key, error or ended request remains.
func TestCacheForgetsOverHours(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := cache[int, int]{keep: 5 * time.Second, room: 32 << 10}
		key, most := 0, 0
		for range suite.Pick(10*60, 2*60*60) {
			for i := range 10 {
				key++
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				_, _, err := c.get(ctx, key, func(ctx context.Context, _ *int) (int, error) {
					switch i {
					case 0:
						return 0, errBusy
					case 1:
						<-ctx.Done() // the request leaves
					}
					return entrySize, nil
				})
				cancel()
				if (err != nil) != (i < 2) {
					t.Fatalf("request %d: %v", i, err)
				}
			}
			c.mu.Lock()
			most = max(most, len(c.entries))
			c.mu.Unlock()
		}
		synctest.Wait()
		if most > 8*6 || c.size > c.room {
			t.Errorf("%d entries at one time, of %d bytes", most, c.size)
		}
		time.Sleep(c.keep)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.dropExpired(time.Now())
		if len(c.entries) != 0 || c.size != 0 || len(c.oldest) != 0 {
			t.Errorf("%d entries of %d bytes stay", len(c.entries), c.size)
		}
	})
}

// A request with less time than others ends early, and the others get the result.
func TestResultSurvivesCallersThatLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := cache[int, string]{keep: time.Hour, room: 1000}
		work := func(ctx context.Context, into *string) (int, error) {
			if _, hasDeadline := ctx.Deadline(); hasDeadline {
				t.Error("the maker has the deadline of a request")
			}
			select {
			case <-time.After(time.Minute):
				*into = "made"
				return 1, nil
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		}
		hasty, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		go func() {
			if _, _, err := c.get(hasty, 1, work); err != context.DeadlineExceeded {
				t.Errorf("in a hurry: %v", err)
			}
		}()
		synctest.Wait()
		if got, from, err := c.get(t.Context(), 1, work); *got != "made" || from != joined || err != nil {
			t.Errorf("%q, %v, %v", *got, from, err)
		}
		go c.get(hasty, 2, work) // alone: nobody waits for it
		synctest.Wait()
		if len(c.entries) != 1 {
			t.Errorf("%d entries", len(c.entries))
		}
	})
}

// A request does not fail because another had no room for the same result.
func TestRoomOfOthersFailsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := cache[int, int]{keep: time.Hour, room: 1000}
		work := func(err error) maker[int] {
			return func(context.Context, *int) (int, error) {
				time.Sleep(time.Second)
				return 1, err
			}
		}
		go func() {
			if _, _, err := c.get(t.Context(), 1, work(errBusy)); !isBusy(err) {
				t.Error(err)
			}
		}()
		synctest.Wait()
		if _, from, err := c.get(t.Context(), 1, work(nil)); err != nil || from != made {
			t.Errorf("%v, %v", from, err)
		}
		synctest.Wait()
	})
}
