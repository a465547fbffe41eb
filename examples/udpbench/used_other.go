//go:build !unix

package main

import "errors"

// used returns what this process has used.
func used() (usage, error) { return usage{}, errors.ErrUnsupported }
