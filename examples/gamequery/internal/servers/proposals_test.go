package servers

import (
	"net"
	"strings"
	"testing"
)

// serve prints a change of the status of the game.
func TestAnnouncementsArePrintedOnce(t *testing.T) {
	lines := func(all ...string) string { return strings.Join(all, "\n") + "\n" }
	var output strings.Builder
	announced := Game{Messages: &output}.announced("127.0.0.1:9990")
	for _, err := range []error{net.ErrClosed, net.ErrClosed, nil, nil} {
		announced(err)
	}
	want := lines("lobby 127.0.0.1:9990: use of closed network connection; trying again", "lobby 127.0.0.1:9990: listed")
	if output.String() != want {
		t.Errorf("output %q, want %q", &output, want)
	}
}
