package main

import (
	"context"
	"os"
	"time"
)

// parentEnds returns a channel that is closed when the process that started the sidecar has
// ended, that is, when another process becomes the parent.
func parentEnds(ctx context.Context) <-chan struct{} {
	ended := make(chan struct{})
	parent := os.Getppid()
	go func() {
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for os.Getppid() == parent {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
		close(ended)
	}()
	return ended
}
