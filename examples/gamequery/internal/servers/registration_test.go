package servers

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"testing"
)

// serve prints the state of a registration when it changes, but not when only the ports of
// sockets change.
func TestServePrintsChangesOfRegistration(t *testing.T) {
	var out strings.Builder
	n := newNotices(&out)
	for _, text := range []string{"", "a", "a", "b\x1b\n", "a", ""} {
		n.say("lobby x:1", text)
		n.say("lobby y:2", "a")
	}
	for port := range 3 {
		n.say("lobby x:1", fmt.Sprintf("read tcp 127.0.0.1:%d->127.0.0.2:9990: reset", 40000+port))
		n.say("lobby x:1", fmt.Sprintf("read tcp [::1]:%d->127.0.0.2:9990: reset", 40000+port))
	}
	want := "lobby y:2: a\nlobby x:1: a\nlobby x:1: b\\x1b\\n\nlobby x:1: a\nlobby x:1: read tcp 127.0.0.2:9990: reset\n"
	if out.String() != want {
		t.Errorf("output %q, want %q", &out, want)
	}
}

func TestNoticesOfALogger(t *testing.T) {
	var out strings.Builder
	logger := slog.New(newNotices(&out))
	for range 3 {
		logger.With("form", "legacy").Warn("not found", "master", "x:1", "error", net.ErrClosed)
		logger.Debug("sent", "master", "x:1")
		logger.Warn("read failed", "error", errors.New("broken"))
	}
	logger.Info("another address", "master", "x:1", "from", "192.0.2.1:1", "to", "192.0.2.2:1")
	logger.WithGroup("y").Info("found", "master", "y:1")
	want := "master x:1: not found: use of closed network connection\n" +
		"master x:1: another address: 192.0.2.2:1\nmaster y:1: found\n"
	if out.String() != want {
		t.Errorf("output %q, want %q", &out, want)
	}
}
