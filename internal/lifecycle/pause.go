package lifecycle

import "time"

// Errors of sockets and listeners are mostly about one peer, or pass, so loops
// go on after them, more slowly if they repeat.
const (
	minPause = 5 * time.Millisecond
	maxPause = time.Second
)

// PauseAfter returns how long a loop pauses after so many failures in a row.
func PauseAfter(failures int) time.Duration {
	return min(minPause<<min(failures-1, 10), maxPause)
}
