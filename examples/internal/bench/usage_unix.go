//go:build unix

package bench

import (
	"runtime"
	"syscall"
	"time"
)

// Used returns the usage of this process.
func Used() (Usage, error) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return Usage{}, err
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return Usage{CPU: time.Duration(r.Utime.Nano() + r.Stime.Nano()), Allocs: m.Mallocs}, nil
}
