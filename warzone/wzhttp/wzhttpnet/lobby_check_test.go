package wzhttpnet

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// withholdTime is longer than a game that does not answer stays listed, and relistTime longer
// than one that answers again stays withheld.
const (
	withholdTime = 7 * time.Minute
	relistTime   = 90 * time.Second
)

// keep sends an empty PATCH at once and each half minute, for a time, and returns the last answer.
func (n *httpNet) keep(h gamestest.HTTPGame, d time.Duration) (r gamestest.HTTPReply) {
	n.T.Helper()
	for ; ; d -= wzhttp.KeepAlive {
		r = n.Do(gamestest.Host4, h.Request("PATCH", ""), "{}")
		if r.Status != http.StatusOK {
			n.T.Fatalf("%+v", r)
		}
		if d <= 0 {
			return r
		}
		time.Sleep(wzhttp.KeepAlive)
	}
}

// A game with two addresses is listed while one of them answers.
func TestLobbyChecksBothAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		h := n.Create(gamestest.Host4, gamestest.Room)
		ports := []interface{ Close() error }{n.PlayAt(gamestest.Host4+":2100", &h),
			n.PlayAt("["+gamestest.Host6+"]:2100", &h)}
		n.Do(gamestest.Host4, h.Request("POST", "/connection"), connection4)
		n.Do(gamestest.Host6, h.Request("POST", "/connection"), `{"type":"tcp:ip6","host":"","port":2100}`)
		synctest.Wait()
		n.keep(h, 10*time.Minute)
		for i, port := range ports {
			if lines := n.List(); len(lines) != 1 {
				t.Errorf("%d closed: listed %q", i, lines)
			}
			port.Close()
			n.keep(h, 10*time.Minute)
		}
		if lines := n.List(); len(lines) != 0 {
			t.Errorf("both closed: listed %q", lines)
		}
	})
}

// Another node that the host's requests reach reports and withholds the game, too.
func TestLobbyWithholdsOnAllNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := startHTTPNodes(t, 2)
		h := nodes[0].Create(gamestest.Host4, gamestest.Room)
		var ports []interface{ Close() error }
		for _, n := range nodes {
			ports = append(ports, n.PlayAt(gamestest.Host4+":2100", &h))
		}
		nodes[0].Do(gamestest.Host4, h.Request("POST", "/connection"), connection4)
		synctest.Wait()
		nodes[0].keep(h, time.Minute)
		b.Flush()
		for _, port := range ports {
			port.Close()
		}
		nodes[0].keep(h, withholdTime)
		synctest.Wait()
		b.Flush()
		for i, n := range nodes {
			if lines := n.List(); len(lines) > 0 {
				t.Errorf("node %d lists %q", i, lines)
			}
		}
		nodes[1].keep(h, 4*time.Minute).Want(t, http.StatusOK, h.StatusOf(true, wzhttp.ValidationError))
		synctest.Wait()
		b.Flush()
		nodes[1].PlayAt(gamestest.Host4+":2100", &h)
		nodes[1].keep(h, relistTime).Want(t, http.StatusOK, h.StatusOf(true, wzhttp.ValidationValidated))
		time.Sleep(shareTime)
		b.Flush()
		for i, n := range nodes {
			if lines := n.List(); len(lines) != 1 {
				t.Errorf("node %d lists %q", i, lines)
			}
		}
	})
}
