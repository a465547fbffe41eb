package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/lobbywire/lobbywire"
)

func TestOutcome(t *testing.T) {
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
