package wzhttp

import "time"

// Times of a host of 4.7.0.
const (
	// KeepAlive is how long after its last accepted request a host of a listed game
	// sends an empty [Patch].
	KeepAlive = 30 * time.Second

	// MinPatchInterval is the least time between two requests to EndpointPatch of a
	// listed game.
	MinPatchInterval = 8 * time.Second

	// PatchRetry is how long a host waits after status 429 for a [Patch].
	PatchRetry = 5 * time.Second

	// GiveUp is how long after its last accepted request a host ends the listing if all
	// answers since have status 429.
	GiveUp = 120 * time.Second

	// JoinCheckWait is how long a host waits for a [Verdict], and JoinCheckWaitBusy how
	// long if all its 16 places for joiners are taken.
	JoinCheckWait     = 10 * time.Second
	JoinCheckWaitBusy = 6 * time.Second
)

// Life is our suggestion for how long a lobby lists a game after the last request of
// its host: three times KeepAlive.
const Life = 3 * KeepAlive

// maxCheckIn is the longest delay that CheckIn returns.
const maxCheckIn = 5

// CheckIn returns how long after its last accepted request a host of a game that is
// not listed sends its n-th empty [Patch], from 1: 1 to 5 seconds, then every 5.
func CheckIn(n int) time.Duration { return time.Duration(min(max(n, 1), maxCheckIn)) * time.Second }
