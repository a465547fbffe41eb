package serverlist

import (
	"context"
	"sync"
)

// Run checks servers until ctx is done.
func (k *Checker) Run(ctx context.Context) {
	var running sync.WaitGroup
	for _, l := range []lane{k.lanes.first, k.lanes.proven, k.lanes.stopping, k.lanes.synced} {
		running.Go(func() { l.run(ctx, k.check) })
	}
	running.Go(func() { k.lanes.moved.run(ctx, k.checkMoved) })
	running.Wait()
}
