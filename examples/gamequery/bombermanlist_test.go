package main

import (
	"encoding/json"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

func TestBombermanListsItsGame(t *testing.T) {
	t.Parallel()
	const header = "ADDRESS PLAYERS LOBBY MODE NAME\n"
	for _, at := range []string{"127.0.0.1:0", "[::1]:0"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			master, stopMaster := background(t, "master", "bomberman", at)
			untilPrints(t, "the list is empty\n", "", "list", "bomberman", master)
			addr, stop := background(t, "serve", "bomberman", at, "-register", master, "-name", hostileName,
				"-players", "1")
			untilPrints(t, header+addr+" 1/4 open Standard A "+shownName+"\n", "", "list", "bomberman", master)

			code, stdout, _ := gamequery(nil, "list", patient, "bomberman", "-json", master)
			var server struct{ Name string }
			if err := json.Unmarshal([]byte(stdout), &server); err != nil || code != exitOK ||
				server.Name != hostileName || strings.ContainsAny(stdout, "\x1b\u009b\u202e") {
				t.Errorf("exit code %d, %v, %s", code, err, stdout)
			}

			first, second := join(t, addr, "Ada", "Ada"), join(t, addr, "Ada", "Ada1")
			expect(t, first, bomberman.PlayersUpdated{
				Players: []bomberman.LobbyPlayer{{Name: "Ada", IsLeader: true}, {Name: "Ada1"}},
			})
			untilPrints(t, header+addr+" 3/4 open Standard A "+shownName+"\n", "", "list", "bomberman", master)
			if err := first.Send(bomberman.RegisterPlayer{Name: "Eve"}); err != nil {
				t.Error(err)
			}
			expect(t, first, bomberman.RegisterPlayerResponse{Rejected: true})
			first.Close()
			expect(t, second, bomberman.PlayersUpdated{Players: []bomberman.LobbyPlayer{{Name: "Ada1", IsLeader: true}}})
			untilPrints(t, header+addr+" 2/4 open Standard A "+shownName+"\n", "", "list", "bomberman", master)

			if code, output := stop(); code != exitOK || !strings.Contains(output, ": listed\nconnected 1 times, sent ") ||
				!strings.HasSuffix(output, "; 2 players joined\n") {
				t.Errorf("serve: exit code %d, %s", code, output)
			}
			untilPrints(t, "the list is empty\n", "", "list", "bomberman", master)
			if code, output := stopMaster(); code != exitOK || !strings.Contains(output, "discarded 0 messages") {
				t.Errorf("master: exit code %d, %s", code, output)
			}
		})
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
