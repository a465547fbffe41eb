package main

import (
	"encoding/json"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

// gameServers repeats list until it prints want.
func gameServers(t *testing.T, master, want string) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; {
		code, stdout, stderr := gamequery(nil, "list", "bomberman", master)
		if code != exitOK || stderr != "" {
			t.Fatalf("exit code %d, %q", code, stderr)
		}
		if blanks(stdout) == blanks(want) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("listed:\n%swant:\n%s", stdout, want)
		}
	}
}

func TestBombermanManagementServer(t *testing.T) {
	const header = "ADDRESS PLAYERS LOBBY MODE NAME\n"
	for _, at := range []string{"127.0.0.1:0", "[::1]:0"} {
		master, stopMaster := background(t, "master", "bomberman", at)
		gameServers(t, master, "the list is empty\n")
		addr, stop := background(t, "serve", "bomberman", at, "-register", master, "-name", hostileName, "-players", "1")
		gameServers(t, master, header+addr+" 1/4 open Standard A "+shownName+"\n")

		code, stdout, _ := gamequery(nil, "list", "bomberman", "-json", master)
		var server struct{ Name string }
		if err := json.Unmarshal([]byte(stdout), &server); err != nil || code != exitOK ||
			server.Name != hostileName || strings.ContainsAny(stdout, "\x1b\u009b\u202e") {
			t.Errorf("exit code %d, %v, %s", code, err, stdout)
		}

		first, second := join(t, addr, "Ada", "Ada"), join(t, addr, "Ada", "Ada1")
		expect(t, first, bomberman.PlayersUpdated{Players: []bomberman.LobbyPlayer{{Name: "Ada", IsLeader: true}, {Name: "Ada1"}}})
		gameServers(t, master, header+addr+" 3/4 open Standard A "+shownName+"\n")
		if err := first.Send(bomberman.RegisterPlayer{Name: "Eve"}); err != nil {
			t.Error(err)
		}
		expect(t, first, bomberman.RegisterPlayerResponse{Rejected: true})
		first.Close()
		expect(t, second, bomberman.PlayersUpdated{Players: []bomberman.LobbyPlayer{{Name: "Ada1", IsLeader: true}}})
		gameServers(t, master, header+addr+" 2/4 open Standard A "+shownName+"\n")

		if code, output := stop(); code != exitOK || !strings.HasPrefix(output, "connected 1 times, sent ") || !strings.HasSuffix(output, "; 2 players joined\n") {
			t.Errorf("serve: exit code %d, %s", code, output)
		}
		gameServers(t, master, "the list is empty\n")
		if code, output := stopMaster(); code != exitOK || !strings.Contains(output, "discarded 0 messages") {
			t.Errorf("master: exit code %d, %s", code, output)
		}
	}
}

// join returns the connection of a player that has joined. The game may have adapted
// the name.
func join(t *testing.T, addr, name, adapted string) *bombermannet.GameConn {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	c := &bombermannet.GameConn{Conn: conn}
	t.Cleanup(func() { c.Close() })
	if err := c.Send(bomberman.RegisterPlayer{Name: name}); err != nil {
		t.Fatal(err)
	}
	expect(t, c, bomberman.RegisterPlayerResponse{AdaptedName: adapted})
	if m, err := c.Receive(); err != nil {
		t.Errorf("got %v, %v", m, err)
	}
	return c
}

func expect(t *testing.T, c *bombermannet.GameConn, want bomberman.Message) {
	t.Helper()
	got, err := c.Receive()
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
