package cluster

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// A text is what a logger has written.
type text struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (t *text) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all.Write(b)
}

func (t *text) has(s string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Contains(t.all.String(), s)
}

// A node starts although its server cannot write its state, as on a full disk. The log states the
// reason, and the server starts anew once there is space. The same holds for a server that gives up
// later.
func TestServerWithoutSpaceStartsLater(t *testing.T) {
	t.Parallel()
	p, log := places(t, 1, time.Minute)[0], new(text)
	p.options.Logger = slog.New(slog.NewTextHandler(log, nil))
	p.options.Dir = filepath.Join(t.TempDir(), "nats")
	var full atomic.Bool
	full.Store(true)
	p.options.tune = func(*server.Options) {
		if !full.Load() {
			return
		}
		// A file in place of the directory, where even root cannot write.
		if err := errors.Join(os.RemoveAll(p.options.Dir), os.WriteFile(p.options.Dir, nil, 0o600)); err != nil {
			t.Error(err)
		}
	}
	n := p.run(t)
	n.open(t, "192.0.2.1:2100")
	now := time.Now()
	complained := n.repairServer(now, time.Time{})
	if again := n.repairServer(now.Add(time.Second), complained); !complained.Equal(now) || !again.Equal(now) {
		t.Errorf("complained at %v, then at %v", complained, again)
	}
	for _, want := range []string{"does not start yet", "cannot write its state and has no copy", "not a directory"} {
		if !log.has(want) {
			t.Errorf("the log lacks %q", want)
		}
	}
	expect(t, 0, []*node{n}, "warzone 192.0.2.1:2100")

	full.Store(false)
	if err := os.Remove(p.options.Dir); err != nil {
		t.Fatal(err)
	}
	n.repairServer(now, complained)
	n.wait(t)
	if !n.server.works() {
		t.Error("it does not work")
	}

	if err := n.server.current().DisableJetStream(); err != nil { // as NATS does
		t.Fatal(err)
	}
	n.repairServer(now, time.Time{})
	if !n.server.works() {
		t.Error("it does not work again")
	}
}
