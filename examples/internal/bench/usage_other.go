//go:build !unix

package bench

import "errors"

// Used returns what this process has used.
func Used() (Usage, error) { return Usage{}, errors.ErrUnsupported }
