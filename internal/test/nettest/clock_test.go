package nettest

import (
	"testing"
	"time"
)

func TestSetClockChangesOnlyTheWallClock(t *testing.T) {
	now := time.Now()
	for _, d := range []time.Duration{time.Hour, -time.Hour} {
		set := SetClock(now, d)
		if got := set.Round(0).Sub(now.Round(0)); got != d {
			t.Errorf("the wall clock is %v ahead, want %v", got, d)
		}
		if got := set.Sub(now); got != 0 {
			t.Errorf("the monotonic clock is %v ahead", got)
		}
	}
}
