package lifecycle

import (
	"context"
	"errors"
	"sync/atomic"
)

// errRunning is the error of Run while another Run has not returned.
var errRunning = errors.New("lobbywire: already running")

// A Runner is the life of a task that runs once at a time. Its zero value is
// ready.
type Runner struct {
	life    Server
	running atomic.Bool
}

// Run calls run with a context that is done when ctx is, or by Close; see
// [Server.Run]. It fails if another Run has not returned.
func (r *Runner) Run(ctx context.Context, run func(context.Context) error) error {
	if !r.running.CompareAndSwap(false, true) {
		return errRunning
	}
	defer r.running.Store(false)
	return r.life.Run(ctx, run)
}

// Close ends Run and returns when it has returned. Run fails after that.
func (r *Runner) Close() error { return r.life.Close() }
