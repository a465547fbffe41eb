// Package fuzzharness shows how to fuzz your own server with the codecs of
// lobbywire. The servers here are placeholders for yours: they are written by
// hand and do not use lobbywire. The functions named Judge say whether answers to
// a request are right. The tests are the harness.
package fuzzharness

import (
	"fmt"

	"github.com/lobbywire/lobbywire"
)

// counted returns an error if there are fewer answers than least or more than most.
func counted(answers [][]byte, least, most int) error {
	if n := len(answers); n < least || n > most {
		return fmt.Errorf("%d answers, want %d to %d", n, least, most)
	}
	return nil
}

// explained adds an explanation to err: the bytes that it is about, field by
// field.
func explained(err error, e lobbywire.Explanation, b []byte) error {
	return fmt.Errorf("%w\n%s:\n%s", err, e.Message, e.Annotate(b))
}
