package wzhttpnet

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/internal/hexfile"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
)

// hostileBodies are the inputs of all golden files and of what fuzzing has found, and
// random ones.
func hostileBodies(t *testing.T) []string {
	t.Helper()
	var all []string
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		b := make([]byte, r.IntN(64))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		all = append(all, string(b))
	}
	golden, err := filepath.Glob("../../*/testdata/golden/*.hex")
	fatalIf(t, err)
	ofFamily, err := filepath.Glob("../../testdata/golden/*.hex")
	fatalIf(t, err)
	golden = append(golden, ofFamily...)
	for _, p := range golden {
		text, err := os.ReadFile(p)
		fatalIf(t, err)
		_, b, err := hexfile.Parse(string(text))
		fatalIf(t, err)
		all = append(all, string(b))
	}
	found, err := filepath.Glob("../../wz*/testdata/fuzz/*/*")
	fatalIf(t, err)
	for _, p := range found {
		b, err := os.ReadFile(p)
		fatalIf(t, err)
		for line := range strings.Lines(string(b)) {
			text, ok := strings.CutPrefix(strings.TrimSpace(line), "[]byte(")
			if s, err := strconv.Unquote(strings.TrimSuffix(text, ")")); ok && err == nil {
				all = append(all, s)
			}
		}
	}
	if len(golden) < 20 {
		t.Fatalf("%d golden files", len(golden))
	}
	return all
}

// No body, sent to any endpoint, harms the lobby or another game.
func TestLobbyTakesAnyBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, &Lobby{NoRates: true})
		other := n.Publish("198.51.100.8", 2100, gamestest.Room)
		line := n.List()[0]
		h := n.Publish(gamestest.Host4, 2100, gamestest.Room)
		for i, body := range hostileBodies(t) {
			for _, target := range []string{
				"POST /game", h.Request("POST", "/connection"), h.Request("PATCH", ""),
				h.Request("POST", "/check-join-request"),
				"POST /game/" + h.GameID + "/request-join", "GET /games",
			} {
				r := n.Do(gamestest.Host4, target, body)
				if r.Status >= 500 || r.Status == 0 {
					t.Errorf("%s with %q: %d %s", target, body, r.Status, r.Body)
				}
			}
			if i%10 == 0 {
				time.Sleep(5 * time.Second) // new games that were not published expire
				n.Do("198.51.100.8", other.Request("PATCH", ""), "{}").Want(t, 200,
					fmt.Sprintf(`{"gameId":%q,"published":true,"connections":[{"type":"tcp:ip4",`+
						`"status":"validated"}]}`, other.GameID))
			}
		}
		if got := n.List()[0]; got != line {
			t.Errorf("the other game has changed: %s", got)
		}
	})
}

// A stranger can make the lobby connect only to the stranger's own address, once for
// each accepted request and a limited number of times, and send few bytes there.
func TestLobbyIsNoScanner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		dialed, sent := 0, 0
		n := startLobby(t, &Lobby{
			Dial: func(ctx context.Context, _, addr string) (net.Conn, error) {
				mu.Lock()
				defer mu.Unlock()
				dialed++
				if at := netip.MustParseAddrPort(addr); at.Addr().String() != gamestest.Host4 {
					t.Errorf("the lobby connects to %s", addr)
				}
				here, there := net.Pipe()
				go func() { // reads, and never answers
					b := make([]byte, 1<<10)
					for {
						n, err := there.Read(b)
						mu.Lock()
						sent += n
						mu.Unlock()
						if err != nil {
							return
						}
					}
				}()
				return here, nil
			},
		})
		accepted, busy := 0, 0
		for i := range 20 {
			h := n.Create(gamestest.Host4, gamestest.Room)
			body := fmt.Sprintf(`{"type":"tcp:ip4","host":"192.0.2.99","port":%d}`, 1000+i)
			r := n.DoWith(gamestest.Host4, h.Request("POST", "/connection"), body, func(r *http.Request) {
				r.Header.Set("X-Forwarded-For", "192.0.2.99") // not from a trusted proxy
			})
			switch r.Status {
			case 202:
				accepted++
			case 429:
				busy++
			}
			time.Sleep(250 * time.Millisecond)
		}
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		if dialed != accepted || accepted != 8 || busy != 20-accepted || sent > 200*dialed {
			t.Errorf("%d connections with %d bytes for %d accepted requests, %d refused", dialed, sent, accepted, busy)
		}
	})
}

// Peers that accept connections and never answer the check occupy the checks of their
// addresses and prefixes. In 150 prefixes they do not stop a host in a prefix whose hosts
// have answered before, and in ten they stop nobody else.
func TestLobbySharesChecks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, &Lobby{NoRates: true})
		prefix := func(i, host int) string { return fmt.Sprintf("198.51.%d.%d", i, host) }
		silent := func(from string, port uint16) (status int) {
			h := n.Create(from, gamestest.Room)
			at := netip.AddrPortFrom(netip.MustParseAddr(from), port)
			l, err := n.Network.Listen(at) // accepts nothing
			fatalIf(t, err)
			t.Cleanup(func() { l.Close() })
			body := fmt.Sprintf(`{"type":"tcp:ip4","host":"","port":%d}`, port)
			return n.Do(from, h.Request("POST", "/connection"), body).Status
		}
		n.Publish(prefix(0, 1), 2100, gamestest.Room)
		tarpits := func(first, last int) (checked int) {
			for i := first; i <= last; i++ {
				for host := range 4 {
					for port := range uint16(10) {
						if silent(prefix(i, 10+host), 3000+port) == 202 {
							checked++
						}
					}
				}
			}
			return checked
		}
		if checked := tarpits(1, 10); checked > 10*15 || checked < 64 {
			t.Errorf("%d checks of ten prefixes", checked)
		}
		for i := range 10 {
			n.Publish(prefix(100+i, 1), 2100, gamestest.Room)
		}
		for i := range 150 {
			silent(fmt.Sprintf("203.0.%d.1", i), 2100)
		}
		if status := silent(prefix(50, 1), 2100); status != 429 {
			t.Errorf("a host in a new prefix: %d", status)
		}
		n.Publish(prefix(0, 2), 2100, gamestest.Room)
		for i := range 10 {
			n.Publish(prefix(100+i, 2), 2100, gamestest.Room)
		}
		time.Sleep(checkTimeout)
		n.Publish(prefix(50, 2), 2100, gamestest.Room)
	})
}

// Games that are never published are limited for a source, and do not stay.
func TestLobbyLimitsNewGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		created := 0
		for range 200 {
			if n.Do(gamestest.Host4, "POST /game", gamestest.Room).Status == 201 {
				created++
			}
			time.Sleep(125 * time.Millisecond)
		}
		if s := n.games.Stats(); s.Announced > 64 || created < 64 {
			t.Errorf("%d of %d games are kept", s.Announced, created)
		}
		if r := n.Do(gamestest.Player4, "POST /game", gamestest.Room); r.Status != 201 {
			t.Errorf("another source: %+v", r)
		}
		time.Sleep(21 * time.Second)
		if s := n.games.Stats(); s.Announced != 0 {
			t.Errorf("%d games are kept for ever", s.Announced)
		}
	})
}
