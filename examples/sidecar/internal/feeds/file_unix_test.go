//go:build unix

package feeds_test

import (
	"context"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/feeds"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/state"
)

// A pipe in place of the file is an error, and opening it does not wait for its other
// end.
func TestPipeIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		h := state.New(lobbywire.View{}, func(lobbywire.View) {}, func(error) {})
		ctx, cancel := context.WithCancel(t.Context())
		go feeds.File(ctx, path, h)
		synctest.Wait()
		if err := h.Err(); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%v", err)
		}
		cancel()
	})
}
