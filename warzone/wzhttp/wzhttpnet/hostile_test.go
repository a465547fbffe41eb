package wzhttpnet

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
)

// victim is an address that attackers name in place of their own.
const victim = "192.0.2.99"

// startBehindProxy starts a lobby that trusts a proxy at gamestest.Host4. It returns the addresses
// to which the lobby has connected.
func startBehindProxy(t *testing.T) (n *httpNet, dialed func() []string) {
	var mu sync.Mutex
	var all []string
	n = startLobby(t, &Lobby{
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix(gamestest.Host4 + "/32")},
		NoRates:        true,
		Dial: func(_ context.Context, _, addr string) (net.Conn, error) {
			mu.Lock()
			defer mu.Unlock()
			all = append(all, addr)
			return nil, errors.New("nobody is there")
		},
	})
	return n, func() []string {
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		return all
	}
}

// No header of an attacker behind a trusted proxy makes the lobby connect to an address
// other than the one that the proxy adds.
func TestForgedHeadersChangeNoAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, dialed := startBehindProxy(t)
		for i, forged := range []http.Header{
			{},
			{"X-Forwarded-For": {victim}},
			{"X-Forwarded-For": {victim, "unknown", victim}},
			{"X-Forwarded-For": {victim + "," + gamestest.Host4}}, // the proxy's own
			{"X-Forwarded-For": {strings.Repeat(victim+",", 400)}},
			{"X_Forwarded_For": {victim}},
			{"Forwarded": {"for=" + victim}},
			{"X-Real-Ip": {victim}},
			{"True-Client-Ip": {victim}},
			{"X-Forwarded-Host": {victim}},
		} {
			through := func(r *http.Request) {
				maps.Copy(r.Header, forged)
				r.Header["X-Forwarded-For"] = append(slices.Clone(forged["X-Forwarded-For"]), gamestest.Player4)
			}
			var h gamestest.HTTPGame
			created := n.DoWith(gamestest.Host4, "POST /game", gamestest.Room, through)
			if created.Status != 201 {
				t.Fatalf("%v: game: %+v", forged, created)
			}
			h.GameID, h.HostToken = jsonText(created.Body, "gameId"), jsonText(created.Body, "hostToken")
			body := fmt.Sprintf(`{"type":"tcp:ip4","host":%q,"port":%d}`, victim, 2100+i)
			if r := n.DoWith(gamestest.Host4, h.Request("POST", "/connection"), body, through); r.Status != 202 {
				t.Fatalf("%v: connection: %+v", forged, r)
			}
			if got, want := dialed(), fmt.Sprintf("%s:%d", gamestest.Player4, 2100+i); len(got) != i+1 ||
				got[i] != want {
				t.Fatalf("%v: the lobby connects to %q, want %s", forged, got, want)
			}
		}
	})
}

// jsonText returns a text of a JSON object.
func jsonText(body, name string) string {
	_, after, _ := strings.Cut(body, `"`+name+`":"`)
	text, _, _ := strings.Cut(after, `"`)
	return text
}

// If a proxy and the lobby read a request differently, an attacker could hide another
// request in it, with an address of its choice. The lobby refuses such requests and closes
// the connection. If a request has both kinds of lengths, the connection ends after it.
func TestSmuggledRequestsAreRefused(t *testing.T) {
	hidden := "POST /lobby/api/v1/game HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: " + victim + "\r\nContent-Length: " +
		fmt.Sprint(len(gamestest.Room)) + "\r\n\r\n" + gamestest.Room
	for name, head := range map[string]string{
		"two lengths":                  "Content-Length: 0\r\nContent-Length: " + fmt.Sprint(len(hidden)) + "\r\n\r\n",
		"a list of lengths":            "Content-Length: 0, " + fmt.Sprint(len(hidden)) + "\r\n\r\n",
		"a signed length":              "Content-Length: +0\r\n\r\n",
		"a length that is no number":   "Content-Length: 0x0\r\n\r\n",
		"a space before the colon":     "Content-Length : 0\r\n\r\n",
		"an unknown coding":            "Transfer-Encoding: xchunked\r\n\r\n",
		"two codings":                  "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
		"a coding twice":               "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"a coding with a control":      "Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
		"a line that continues":        "X: y\r\n Content-Length: 0\r\nTransfer-Encoding:\r\n chunked\r\n\r\nzz\r\n",
		"a chunk with no length":       "Transfer-Encoding: chunked\r\n\r\n\r\n",
		"a chunk with a signed length": "Transfer-Encoding: chunked\r\n\r\n-1\r\n",
		"a chunk that is too long":     "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
		"both": "Content-Length: " + fmt.Sprint(len(hidden)) +
			"\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	} {
		for _, line := range []string{"PATCH /lobby/api/v1/game/BAAAAAA", "POST /another/page"} {
			synctest.Test(t, func(t *testing.T) {
				n, _ := startBehindProxy(t)
				c, err := n.DialFrom(gamestest.Host4)(t.Context(), "tcp", "")
				fatalIf(t, err)
				defer c.Close()
				go c.Write([]byte(line + " HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: " + gamestest.Player4 + "\r\n" +
					head + hidden))
				answers := bufio.NewReader(c)
				count := 0
				for {
					r, err := http.ReadResponse(answers, nil)
					if err != nil {
						break
					}
					io.Copy(io.Discard, r.Body)
					count++
					if r.StatusCode < 400 {
						t.Errorf("%s to %s: answer %d: %s", name, line, count, r.Status)
					}
				}
				if s := n.games.Stats(); s.Announced > 0 || count > 1 {
					t.Errorf("%s to %s: the hidden request is carried out: %d answers, %+v", name, line, count, s)
				}
			})
		}
	}
}

// A peer that sends long headers, or very many, is refused and disconnected, and occupies
// no memory after that.
func TestFloodsOfHeadersAreRefused(t *testing.T) {
	for name, line := range map[string]string{
		"long":      "X-Forwarded-For: " + strings.Repeat("x", 1000) + "\r\n",
		"many":      "X: y\r\n",
		"no end":    strings.Repeat("x", 1000),
		"addresses": "X-Forwarded-For: " + victim + "\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := startLobby(t, new(Lobby))
				c, err := n.DialFrom(gamestest.Host4)(t.Context(), "tcp", "")
				fatalIf(t, err)
				defer c.Close()
				go func() {
					_, err := c.Write([]byte("GET /lobby/api/v1/games HTTP/1.1\r\nHost: x\r\n"))
					for sent := 0; err == nil && sent < 1<<20; sent += len(line) {
						_, err = c.Write([]byte(line))
					}
				}()
				r, err := http.ReadResponse(bufio.NewReader(c), nil)
				if err != nil || r.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
					t.Errorf("%+v, %v", r, err)
				}
				time.Sleep(time.Second) // net/http waits, so that the answer arrives
				if s := n.lobby.Stats(); s.Lists > 0 {
					t.Errorf("stats %+v", s)
				}
			})
		})
	}
}

// HTTP/2 has the same limits for the size of a header and the time of a body.
func TestHTTP2HasTheSameLimits(t *testing.T) {
	serverTLS, clientTLS := nettest.Certificate()
	synctest.Test(t, func(t *testing.T) {
		l := new(Lobby)
		defer l.Close()
		const addr = "127.0.0.1:443"
		var network nettest.Streams
		listener, err := network.Listen(netip.MustParseAddrPort(addr))
		fatalIf(t, err)
		server := l.Server(nil)
		server.TLSConfig = serverTLS
		go server.ServeTLS(listener, "", "")
		defer server.Close()
		transport := &http.Transport{DialContext: network.Dial, TLSClientConfig: clientTLS, ForceAttemptHTTP2: true}
		defer transport.CloseIdleConnections()
		client := &http.Client{Transport: transport}

		body, stall := io.Pipe()
		defer stall.Close()
		go stall.Write([]byte("{"))
		start := time.Now()
		r, err := client.Post("https://"+addr+"/api/v1/game", "application/json", body) // which would wait for ever
		if took := time.Since(start); took > defaultLimits().Frame {
			t.Errorf("a slow body took %v", took)
		}
		if err == nil {
			r.Body.Close()
			if r.ProtoMajor != 2 || r.StatusCode != http.StatusBadRequest {
				t.Errorf("a slow body: %s %s", r.Proto, r.Status)
			}
		}

		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+addr+"/api/v1/games", nil)
		fatalIf(t, err)
		request.Header.Set("X", strings.Repeat("x", 64<<10))
		r, err = client.Do(request)
		if err == nil {
			r.Body.Close()
			if r.StatusCode < 400 {
				t.Errorf("a long header: %s %s", r.Proto, r.Status)
			}
		}
		r, err = client.Get("https://" + addr + "/api/v1/games")
		if err != nil || r.StatusCode != http.StatusOK || r.ProtoMajor != 2 {
			t.Fatalf("later: %+v, %v", r, err)
		}
		r.Body.Close()
	})
}
