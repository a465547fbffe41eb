package wzhttpnet

import (
	"fmt"
	"io"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
)

// What a lobby knows of a host whose game is not published, at each step.
func TestLobbyReportsRefusals(t *testing.T) {
	const (
		incomplete = "the host has not sent all that a list needs yet: it has announced a game, and no port where " +
			"players can connect to it"
		pending = "the server has announced itself, and a query or connection to it has no answer yet: open its port " +
			"(port 2100)"
	)
	at := netip.MustParseAddrPort(gamestest.Host4 + ":2100")
	host := netip.AddrPortFrom(at.Addr(), 0)
	type report struct {
		from netip.AddrPort
		text string
	}
	synctest.Test(t, func(t *testing.T) {
		var refused []report
		n := startLobby(t,
			&Lobby{Refused: func(r lobbywire.Refusal) { refused = append(refused, report{r.From, r.String()}) }})
		l, err := n.Network.Listen(at)
		fatalIf(t, err)
		t.Cleanup(func() { l.Close() })
		go func() {
			if c, err := l.Accept(); err == nil {
				io.WriteString(c, "SSH-2.0-OpenSSH\r\n")
				io.Copy(io.Discard, c)
				c.Close()
			}
		}()
		want := func(step string, want ...report) {
			t.Helper()
			time.Sleep(time.Second)
			synctest.Wait()
			if !slices.Equal(refused, want) {
				t.Errorf("%s: reported as %v, want %v", step, refused, want)
			}
			refused = nil
		}
		m := n.Create(gamestest.Host4, gamestest.Room)
		want("created", report{host, incomplete})
		n.Do(gamestest.Host4, m.Request("POST", "/connection"), `{"type":"tcp:ip4","host":"","port":2100}`)
		want("connection", report{at, pending}, report{at, "what answers at the address of the server is not the server " +
			"(port 2100): wzhttp: magic at byte 0: invalid value: is not WZLR"})
		n.Do(gamestest.Host4, fmt.Sprintf("PATCH /game/%s %s", m.GameID, "wrong"), "{}")
		want("wrong token", report{host, `the request is invalid: wzhttpnet: the lobby refuses: 401 "UNAUTHORIZED" ` +
			`"The token is not for this game."`})
		n.Do(gamestest.Host4, "POST /games", "{}")
		want("wrong path", report{host, "the request is of another protocol, or for another path: " +
			`"POST /api/v1/games"`})
		n.Do(gamestest.Host4, "GET /game", "")
		want("a client")
	})
}
