package gamestest

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// Addresses of the HTTP lobby, of each family.
var (
	HTTPLobby4 = netip.MustParseAddrPort("192.0.2.1:80")
	HTTPLobby6 = netip.MustParseAddrPort("[2001:db8::1]:80")
)

// Addresses of hosts and of a player.
const (
	Host4   = "198.51.100.7"
	Host6   = "2001:db8:7::7"
	Player4 = "203.0.113.5"
)

// An HTTPNet is an HTTP lobby, below /lobby, in a network of its own.
type HTTPNet struct {
	T       testing.TB
	Network *nettest.Streams
}

// Serve serves a lobby over both families until the test ends.
func (n *HTTPNet) Serve(server *http.Server, closeLobby func() error) {
	n.T.Helper()
	for _, addr := range []netip.AddrPort{HTTPLobby4, HTTPLobby6} {
		listener, err := n.Network.Listen(addr)
		fatalIf(n.T, err)
		ended := make(chan error, 1)
		go func() { ended <- server.Serve(listener) }()
		n.T.Cleanup(func() {
			server.Close()
			<-ended
		})
	}
	n.T.Cleanup(func() { fatalIf(n.T, closeLobby()) })
}

func fatalIf(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// An HTTPReply is an answer of the lobby.
type HTTPReply struct {
	Status int
	Header http.Header
	Body   string
}

// DialFrom connects from an address, over its own family.
func (n *HTTPNet) DialFrom(from string) func(ctx context.Context, network, addr string) (net.Conn, error) {
	a := netip.MustParseAddr(from)
	lobby := HTTPLobby4
	if a.Is6() {
		lobby = HTTPLobby6
	}
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		if a.Is6() && network == "tcp4" || a.Is4() && network == "tcp6" {
			return nil, net.UnknownNetworkError(network)
		}
		return n.Network.DialFrom(a)(ctx, "tcp", lobby.String())
	}
}

// Do sends a request from an address. The request line is method and path; a token may
// follow.
func (n *HTTPNet) Do(from, line, body string) HTTPReply {
	n.T.Helper()
	return n.DoWith(from, line, body, nil)
}

// DoWith is Do with a change of the request.
func (n *HTTPNet) DoWith(from, line, body string, change func(r *http.Request)) HTTPReply {
	n.T.Helper()
	words := strings.Fields(line)
	r, err := http.NewRequestWithContext(n.T.Context(), words[0], "http://lobby.example/lobby/api/v1"+words[1],
		strings.NewReader(body))
	fatalIf(n.T, err)
	if len(words) > 2 {
		r.Header.Set("Authorization", "HostToken "+words[2])
	}
	if change != nil {
		change(r)
	}
	client := &http.Client{Transport: &http.Transport{DialContext: n.DialFrom(from), DisableKeepAlives: true}}
	answer, err := client.Do(r)
	fatalIf(n.T, err)
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	fatalIf(n.T, err)
	return HTTPReply{answer.StatusCode, answer.Header, string(b)}
}

// Want compares an answer.
func (r HTTPReply) Want(t testing.TB, status int, body string) {
	t.Helper()
	if r.Status != status || r.Body != body {
		t.Fatalf("answer %d %s, want %d %s", r.Status, r.Body, status, body)
	}
}

// WantError compares status and code.
func (r HTTPReply) WantError(t testing.TB, status int, code string) {
	t.Helper()
	var e struct{ Code, Message string }
	if err := json.Unmarshal([]byte(r.Body), &e); err != nil || r.Status != status || e.Code != code ||
		e.Message == "" {
		t.Fatalf("answer %d %s, want %d %s with a message", r.Status, r.Body, status, code)
	}
	if status == http.StatusTooManyRequests && r.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
}

// List returns the lines of the list, without the header.
func (n *HTTPNet) List() []string {
	n.T.Helper()
	r := n.Do(Player4, "GET /games", "")
	if r.Status != http.StatusOK || !strings.HasSuffix(r.Body, "\n") {
		n.T.Fatalf("list %d %q", r.Status, r.Body)
	}
	return strings.Split(strings.TrimSuffix(r.Body, "\n"), "\n")[1:]
}

// An HTTPGame is the lobby's answer to a host that has announced a game.
type HTTPGame struct {
	GameID, HostToken, LobbyToken, MOTD string
}

// Room is the body of a real host, without its join options.
const Room = `{"v":"4.7.0","netv":[16384,104],"name":"Grüße from Go","host":{"name":"GoTester",` +
	`"pk":"AISvCVmVREY6hfgWZRpHqAjGVfi+3dF8zDRJmqd6Po4="},"map":["Sk-Rush",""],"players":{"cur":0,"max":4},` +
	`"specs":{"cur":1,"max":3},"ally":0,"lim":0}`

// Create announces a game.
func (n *HTTPNet) Create(from, body string) (h HTTPGame) {
	n.T.Helper()
	r := n.Do(from, "POST /game", body)
	if err := json.Unmarshal([]byte(r.Body), &h); err != nil || r.Status != http.StatusCreated || h.GameID == "" {
		n.T.Fatalf("created: %d %s", r.Status, r.Body)
	}
	return h
}

// Request is a line about the game, with its token.
func (h *HTTPGame) Request(method, path string) string {
	return fmt.Sprintf("%s /game/%s%s %s", method, h.GameID, path, h.HostToken)
}

// Publish announces a game and waits until the lobby has checked and listed it.
func (n *HTTPNet) Publish(from string, port uint16, body string) HTTPGame {
	n.T.Helper()
	h := n.Create(from, body)
	n.PlayAt(fmt.Sprintf("%s:%d", from, port), &h)
	n.Do(from, h.Request("POST", "/connection"), fmt.Sprintf(`{"type":"tcp:ip4","host":"","port":%d}`, port))
	synctest.Wait()
	r := n.Do(from, h.Request("PATCH", ""), "{}")
	if !strings.Contains(r.Body, `"published":true`) {
		n.T.Fatalf("not published: %d %s", r.Status, r.Body)
	}
	return h
}

// PlayAt opens the port of a game, which answers Probes as hosts of 4.7 do.
func (n *HTTPNet) PlayAt(addr string, h *HTTPGame) *nettest.Listener {
	n.T.Helper()
	l, err := n.Network.Listen(netip.MustParseAddrPort(addr))
	fatalIf(n.T, err)
	n.T.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				AnswerCheck(c, h)
			}()
		}
	}()
	return l
}

// AnswerCheck reads 8 zero bytes and a frame, and answers if the token is right.
func AnswerCheck(c net.Conn, h *HTTPGame) {
	head := make([]byte, 13)
	if _, err := io.ReadFull(c, head); err != nil || string(head[:9]) != "\x00\x00\x00\x00\x00\x00\x00\x00\x00" {
		return
	}
	text := make([]byte, binary.BigEndian.Uint16(head[11:]))
	if _, err := io.ReadFull(c, text); err != nil {
		return
	}
	var probe struct{ LobbyToken, Challenge string }
	if json.Unmarshal(text, &probe) != nil || probe.LobbyToken != h.LobbyToken || len(probe.Challenge) < 32 {
		return
	}
	reply := fmt.Sprintf(`{"gid":%q}`, h.GameID)
	c.Write(append([]byte("WZLR\x00\x00\x00\x02\x00\x00\x00"+string(byte(len(reply)))), reply...))
}

// DialBoth connects a host over the family that the network names.
func (n *HTTPNet) DialBoth(ctx context.Context, network, addr string) (net.Conn, error) {
	from := Host4
	if network == "tcp6" {
		from = Host6
	}
	return n.DialFrom(from)(ctx, network, addr)
}

// ServeBoth serves the game port over both families until the test ends.
func (n *HTTPNet) ServeBoth(serve func(net.Listener) error) {
	n.T.Helper()
	for _, addr := range []string{Host4 + ":2100", "[" + Host6 + "]:2100"} {
		l, err := n.Network.Listen(netip.MustParseAddrPort(addr))
		fatalIf(n.T, err)
		ended := make(chan error, 1)
		go func() { ended <- serve(l) }()
		n.T.Cleanup(func() {
			if err := <-ended; err != lobbywire.ErrClosed {
				n.T.Errorf("ServeAlive returned %v", err)
			}
		})
	}
}

// StatusOf is the body of a Status with one connection over IPv4.
func (h *HTTPGame) StatusOf(published bool, status wzhttp.Validation) string {
	return fmt.Sprintf(`{"gameId":%q,"published":%v,"connections":[{"type":"tcp:ip4","status":%q}]}`, h.GameID,
		published, status)
}
