package lifecycle

import (
	"context"
	"errors"
	"sync"

	"github.com/lobbywire/lobbywire"
)

// errRunning is what Run returns while another Run has not returned.
var errRunning = errors.New("lobbywire: already running")

// A Runner is the life of a task that runs once at a time, until its context is
// done or Close is called. Its zero value is ready.
type Runner struct {
	mu     sync.Mutex
	closed bool
	cancel context.CancelCauseFunc // of the task; nil if it is not running
	ended  chan struct{}           // closed when the task has returned
}

// Run calls task with a context that is done when ctx is, or when Close is
// called; its cause is then [lobbywire.ErrClosed]. It fails if the task is
// running already or the Runner is closed.
func (r *Runner) Run(ctx context.Context, task func(context.Context) error) error {
	ctx, err := r.begin(ctx)
	if err != nil {
		return err
	}
	defer r.end()
	return task(ctx)
}

func (r *Runner) begin(ctx context.Context) (context.Context, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
		return nil, lobbywire.ErrClosed
	case r.cancel != nil:
		return nil, errRunning
	}
	ctx, r.cancel = context.WithCancelCause(ctx)
	r.ended = make(chan struct{})
	return ctx, nil
}

func (r *Runner) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cancel(nil)
	r.cancel = nil
	close(r.ended)
}

// Close ends the task and returns when it has returned. Run fails after that.
func (r *Runner) Close() {
	r.mu.Lock()
	r.closed = true
	cancel, ended := r.cancel, r.ended
	r.mu.Unlock()
	if cancel != nil {
		cancel(lobbywire.ErrClosed)
		<-ended
	}
}
