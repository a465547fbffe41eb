package gameagentnet

import (
	"context"
	"sync"

	"github.com/lobbywire/lobbywire/internal/lifecycle"
)

// A tasks runs something once while anything needs it.
type tasks struct {
	life lifecycle.Server // of those that need nothing else

	mu      sync.Mutex
	users   int
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// begin starts run unless it runs already. The result says that the caller does not
// need it any more; the last such call ends run and returns when it has returned.
func (t *tasks) begin(run func(ctx context.Context)) (end func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.users++; t.users == 1 {
		var ctx context.Context
		ctx, t.cancel = context.WithCancel(context.Background())
		t.running.Go(func() { run(ctx) })
	}
	return t.end
}

func (t *tasks) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.users--; t.users == 0 {
		t.cancel()
		t.running.Wait()
	}
}
