package lifecycle

import "time"

// Most errors of sockets and listeners concern one peer or are temporary, so loops
// continue after them, more slowly if they repeat.
const (
	minPause = 5 * time.Millisecond
	maxPause = time.Second
)

// PauseAfter returns how long a loop pauses after a number of consecutive failures.
func PauseAfter(failures int) time.Duration {
	return min(minPause<<min(failures-1, 10), maxPause)
}
