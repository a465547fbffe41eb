package wzhttp

import "time"

// The times of a host of 4.7.0.
const (
	// KeepAlive is the time after its last accepted request at which a host of a
	// listed game sends an empty [Patch].
	KeepAlive = 30 * time.Second

	// MinPatchInterval is the minimum time between two requests to EndpointPatch
	// for a listed game.
	MinPatchInterval = 8 * time.Second

	// PatchRetry is the time after which a host repeats a [Patch] whose answer has status
	// 429.
	PatchRetry = 5 * time.Second

	// GiveUp is the time after its last accepted request at which a host ends its listing
	// if all later answers have status 429.
	GiveUp = 120 * time.Second

	// JoinCheckWait is the time that a host waits for a [Verdict].
	JoinCheckWait = 10 * time.Second
)

// CheckIn returns the time after its last accepted request at which a host whose game is
// not listed yet sends the n-th empty [Patch], counted from 1: n seconds, but at most 5.
func CheckIn(n int) time.Duration { return time.Duration(min(max(n, 1), 5)) * time.Second }
