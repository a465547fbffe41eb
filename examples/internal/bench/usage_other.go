//go:build !unix

package bench

import "errors"

// Used returns the usage of this process.
func Used() (Usage, error) { return Usage{}, errors.ErrUnsupported }
