package main

import (
	"bytes"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
)

// Listeners for which there are no file descriptors accept connections later, and log one warning
// together. Other failures end Accept.
func TestListenersWaitForDescriptors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		l := newLife(config{}, &log)
		for range 2 {
			at := socket{listener: exhausted{until: time.Now().Add(time.Minute)}}
			if err := at.guard(new(ban.Gate), &l.warnings); err != nil {
				t.Fatal(err)
			}
			if _, err := at.listener.Accept(); err != net.ErrClosed {
				t.Errorf("got %v", err)
			}
		}
		if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "LimitNOFILE") {
			t.Errorf("logged %s", got)
		}
	})
}

// An exhausted listener has no file descriptors until a time, and is closed then.
type exhausted struct {
	net.Listener
	until time.Time
}

func (l exhausted) Accept() (net.Conn, error) {
	if time.Now().Before(l.until) {
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return nil, net.ErrClosed
}
