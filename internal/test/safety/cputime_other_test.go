//go:build !unix

package safety_test

import "time"

var started = time.Now()

// cpuTime returns how long this process has existed.
func cpuTime() time.Duration { return time.Since(started) }
