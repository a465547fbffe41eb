package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"testing"

	"github.com/lobbywire/lobbywire"
)

func TestNoListExplainsTheClosedConnection(t *testing.T) {
	const want = `lobbywire: the master closed the connection without a list: it probably does not know the game ` +
		`"a\x1b", or its key is wrong`
	for _, err := range []error{io.EOF, io.ErrUnexpectedEOF, fmt.Errorf("read: %w", syscall.ECONNRESET)} {
		got := NoList(err, "a\x1b", ", or its key is wrong")
		if !errors.Is(got, io.ErrUnexpectedEOF) || got.Error() != want {
			t.Errorf("%v becomes %v", err, got)
		}
	}
	if got := NoList(os.ErrDeadlineExceeded, "a", ""); got != lobbywire.ErrTimeout {
		t.Errorf("a timeout becomes %v", got)
	}
}

func TestOutcomeMapsErrors(t *testing.T) {
	other := errors.New("other")
	for _, tt := range []struct{ err, want error }{
		{nil, nil},
		{fmt.Errorf("read: %w", os.ErrDeadlineExceeded), lobbywire.ErrTimeout},
		{fmt.Errorf("dial: %w", context.DeadlineExceeded), lobbywire.ErrTimeout},
		{fmt.Errorf("read: %w", io.EOF), io.ErrUnexpectedEOF},
		{io.ErrUnexpectedEOF, io.ErrUnexpectedEOF},
		{other, other},
	} {
		if got := Outcome(tt.err); got != tt.want {
			t.Errorf("%v becomes %v, want %v", tt.err, got, tt.want)
		}
	}
}

// A partial answer is not reported as a timeout.
func TestIncompleteIsNotSilence(t *testing.T) {
	other := errors.New("other")
	for _, tt := range []struct{ err, want error }{
		{fmt.Errorf("read: %w", os.ErrDeadlineExceeded), os.ErrDeadlineExceeded},
		{context.DeadlineExceeded, os.ErrDeadlineExceeded},
		{lobbywire.ErrTimeout, os.ErrDeadlineExceeded},
		{io.ErrUnexpectedEOF, io.ErrUnexpectedEOF},
		{fmt.Errorf("read: %w", syscall.ECONNRESET), io.ErrUnexpectedEOF},
	} {
		got := Outcome(Incomplete(Incomplete(tt.err)))
		for _, want := range []error{lobbywire.ErrUnreadable, lobbywire.ErrTruncated, tt.want} {
			if !errors.Is(got, want) || errors.Is(got, lobbywire.ErrTimeout) {
				t.Errorf("%v becomes %v, want %v", tt.err, got, want)
			}
		}
	}
	if got := Incomplete(other); got != other {
		t.Errorf("%v becomes %v", other, got)
	}
}
