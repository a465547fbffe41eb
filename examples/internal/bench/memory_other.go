//go:build !linux

package bench

import "errors"

// Resident returns the resident memory of a process in bytes.
func Resident(int) (int64, error) { return 0, errors.ErrUnsupported }
