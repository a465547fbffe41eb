package bench

import (
	"slices"
	"time"
)

// Rounds lets sides take turns in n rounds, after a shorter round to warm up, which does
// not count. round loads each of the sides for a time. Their order changes with each
// round.
func Rounds[S any](n int, each time.Duration, sides []S,
	round func(sides []S, each time.Duration, counts bool) error) error {
	const warmUp = 4
	sides = slices.Clone(sides)
	if err := round(sides, each/warmUp, false); err != nil {
		return err
	}
	for range n {
		slices.Reverse(sides)
		if err := round(sides, each, true); err != nil {
			return err
		}
	}
	return nil
}
