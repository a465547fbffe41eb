//go:build !linux

package bench

import "errors"

// Resident returns how much memory, in bytes, a process has of the machine.
func Resident(int) (int64, error) { return 0, errors.ErrUnsupported }
