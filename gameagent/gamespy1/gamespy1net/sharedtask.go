package gamespy1net

import (
	"context"
	"sync"

	"github.com/lobbywire/lobbywire/internal/lifecycle"
)

// A sharedTask runs a function while it has at least one user.
type sharedTask struct {
	life lifecycle.Server // of calls of Check

	mu      sync.Mutex
	users   int
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// begin adds a user, and starts run if it is the first. The user calls end when it
// no longer needs run. The last call of end ends run and waits until it has
// returned.
func (t *sharedTask) begin(run func(ctx context.Context)) (end func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.users++
	if t.users == 1 {
		var ctx context.Context
		ctx, t.cancel = context.WithCancel(context.Background())
		t.running.Go(func() { run(ctx) })
	}
	return t.end
}

func (t *sharedTask) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.users--
	if t.users == 0 {
		t.cancel()
		t.running.Wait()
	}
}
