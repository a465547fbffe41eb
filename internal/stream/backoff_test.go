package stream

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// The waits double until an attempt lasts for Steady or succeeds. After ErrAgain and
// after a success there is none.
func TestWaitsDoubleUntilSuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		enough, broken := errors.New("enough"), errors.New("broken")
		attempts, waited := 0, time.Duration(0)
		var rounds []time.Duration // of the waits, without what is random
		b := Backoff{Min: 2 * time.Second, Max: 8 * time.Second, Steady: time.Minute}
		ended := time.Now()
		err := b.Keep(ctx, func(ctx context.Context) error {
			if d := time.Since(ended); d != waited {
				t.Errorf("attempt %d after %v, want %v", attempts, d, waited)
			}
			attempts++
			waited = 0
			defer func() { ended = time.Now() }()
			switch attempts {
			case 3:
				return ErrAgain
			case 6:
				time.Sleep(b.Steady)
			case 8:
				return nil
			case 10:
				cancel(enough)
			}
			return broken
		}, func(err error, pause time.Duration) {
			if err != broken {
				t.Errorf("failed with %v", err)
			}
			base := b.Min
			for pause >= 3*base/2 {
				base *= 2
			}
			rounds, waited = append(rounds, base), pause
		})
		if err != enough {
			t.Errorf("ends with %v", err)
		}
		// A wait is between half and three halves of its base.
		limits := []time.Duration{2, 4, 8, 8, 2, 4, 2}
		if len(rounds) != len(limits) ||
			slices.ContainsFunc(rounds, func(d time.Duration) bool { return d > 8*time.Second }) {
			t.Errorf("waits of up to %v", rounds)
		}
		for i, limit := range limits {
			if rounds[i] > limit*time.Second {
				t.Errorf("wait %d is longer than of base %d s", i, limit)
			}
		}
	})
}
