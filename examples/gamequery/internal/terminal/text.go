package terminal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"time"
)

// Buffered lets write write to w in large pieces.
func Buffered(w io.Writer, write func(w io.Writer) error) error {
	buf := bufio.NewWriter(w)
	err := write(buf)
	failed := buf.Flush()
	if err == nil || errors.Is(err, failed) { // after an error, Flush returns the same again
		return failed
	}
	return errors.Join(err, failed)
}

// Count returns a number with its noun.
func Count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// Milliseconds returns d in milliseconds, with three decimals.
func Milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.3f", float64(d)/float64(time.Millisecond))
}
