package lifecycle

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire"
)

// wait is a task that ends with its context.
func wait(ctx context.Context) error {
	<-ctx.Done()
	return context.Cause(ctx)
}

func TestRunnerRunsOnceAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r Runner
		ended := make(chan error, 1)
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() { ended <- r.Run(ctx, wait) }()
		synctest.Wait()
		if err := r.Run(ctx, wait); err != errRunning {
			t.Errorf("a second Run returned %v", err)
		}
		enough := errors.New("enough")
		cancel(enough)
		if err := <-ended; err != enough {
			t.Errorf("Run returned %v after the end of its context", err)
		}
		go func() { ended <- r.Run(t.Context(), wait) }()
		synctest.Wait()
		r.Close()
		if err := <-ended; err != lobbywire.ErrClosed {
			t.Errorf("Run returned %v after Close", err)
		}
		r.Close()
		if err := r.Run(t.Context(), wait); err != lobbywire.ErrClosed {
			t.Errorf("Run of a closed Runner returned %v", err)
		}
	})
}
