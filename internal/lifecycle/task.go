package lifecycle

import (
	"context"

	"github.com/lobbywire/lobbywire"
)

// A task is a part of a server that ends with its context.
type task struct{ cancel context.CancelCauseFunc }

func (t *task) End() error {
	t.cancel(lobbywire.ErrClosed)
	return nil
}

func (t *task) Close() error { return t.End() }

// Run calls run with a context that is done when ctx is, or by Shutdown and
// Close; its cause is then [lobbywire.ErrClosed], which is also the error of Run.
func (s *Server) Run(ctx context.Context, run func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	return s.Serve(&task{cancel}, func() error { return run(ctx) })
}
