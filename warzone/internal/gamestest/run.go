package gamestest

import (
	"context"
	"testing"

	"github.com/lobbywire/lobbywire"
)

// Run runs h until the test ends.
func Run(t testing.TB, h interface {
	Run(ctx context.Context) error
	Close() error
}) {
	ended := make(chan error, 1)
	go func() { ended <- h.Run(t.Context()) }()
	t.Cleanup(func() {
		h.Close()
		if err := <-ended; err != lobbywire.ErrClosed && err != context.Canceled {
			t.Errorf("Run returned %v", err)
		}
	})
}
