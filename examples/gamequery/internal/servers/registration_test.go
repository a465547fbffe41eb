package servers

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
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

// What a registration does again, and its end, is not printed.
func TestServePrintsStandings(t *testing.T) {
	var out strings.Builder
	n := newNotices(&out)
	host := n.standing("lobby x:1", func() string { return "game 5" })
	silent := n.standing("master y:2", nil)
	for range 2 {
		for _, s := range []lobbywire.RegistrationStatus{
			{Standing: lobbywire.StandingUnreachable, Err: net.ErrClosed}, {Standing: lobbywire.StandingStarting},
		} {
			host(s)
		}
	}
	host(lobbywire.RegistrationStatus{Standing: lobbywire.StandingListed})
	for _, end := range []func(lobbywire.RegistrationStatus){host, silent} {
		end(lobbywire.RegistrationStatus{Standing: lobbywire.StandingLeft})
	}
	want := "lobby x:1: unreachable: use of closed network connection\nlobby x:1: listed: game 5\n" +
		"master y:2: has not answered\n"
	if out.String() != want {
		t.Errorf("output %q, want %q", &out, want)
	}
}
