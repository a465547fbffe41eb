package warzonenet

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

	"github.com/lobbywire/lobbywire/internal/nettest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Addresses of the HTTP lobby, of each family.
var (
	httpLobby4 = netip.MustParseAddrPort("192.0.2.1:80")
	httpLobby6 = netip.MustParseAddrPort("[2001:db8::1]:80")
)

const (
	host4   = "198.51.100.7"
	host6   = "2001:db8:7::7"
	player4 = "203.0.113.5"
)

// An httpNet is an HTTPLobby in a network of its own.
type httpNet struct {
	t       testing.TB
	network *nettest.Streams
	lobby   *HTTPLobby
	games   *warzonegames.Games
}

// startHTTPLobby serves over both families until the test ends.
func startHTTPLobby(t testing.TB, l *HTTPLobby) *httpNet {
	t.Helper()
	n := &httpNet{t: t, network: new(nettest.Streams), lobby: l}
	if l.Games == nil {
		l.Games = new(warzonegames.Games)
	}
	n.games = l.Games
	if l.Dial == nil {
		l.Dial = n.network.DialFrom(httpLobby4.Addr())
	}
	server := l.Server(http.StripPrefix("/lobby", l))
	for _, addr := range []netip.AddrPort{httpLobby4, httpLobby6} {
		listener, err := n.network.Listen(addr)
		fatalIf(t, err)
		ended := make(chan error, 1)
		go func() { ended <- server.Serve(listener) }()
		t.Cleanup(func() {
			server.Close()
			<-ended
		})
	}
	t.Cleanup(func() { fatalIf(t, l.Close()) })
	return n
}

// An httpReply is an answer of the lobby.
type httpReply struct {
	status int
	header http.Header
	body   string
}

// dialFrom connects from an address, over its own family.
func (n *httpNet) dialFrom(from string) func(ctx context.Context, network, addr string) (net.Conn, error) {
	a := netip.MustParseAddr(from)
	lobby := httpLobby4
	if a.Is6() {
		lobby = httpLobby6
	}
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		if a.Is6() && network == "tcp4" || a.Is4() && network == "tcp6" {
			return nil, net.UnknownNetworkError(network)
		}
		return n.network.DialFrom(a)(ctx, "tcp", lobby.String())
	}
}

// do sends a request from an address. The request line is method and path; a token may
// follow.
func (n *httpNet) do(from, line, body string) httpReply {
	n.t.Helper()
	return n.doWith(from, line, body, nil)
}

func (n *httpNet) doWith(from, line, body string, change func(r *http.Request)) httpReply {
	n.t.Helper()
	words := strings.Fields(line)
	r, err := http.NewRequestWithContext(n.t.Context(), words[0], "http://lobby.example/lobby/api/v1"+words[1], strings.NewReader(body))
	fatalIf(n.t, err)
	if len(words) > 2 {
		r.Header.Set("Authorization", "HostToken "+words[2])
	}
	if change != nil {
		change(r)
	}
	client := &http.Client{Transport: &http.Transport{DialContext: n.dialFrom(from), DisableKeepAlives: true}}
	answer, err := client.Do(r)
	fatalIf(n.t, err)
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	fatalIf(n.t, err)
	return httpReply{answer.StatusCode, answer.Header, string(b)}
}

// want compares an answer.
func (r httpReply) want(t testing.TB, status int, body string) {
	t.Helper()
	if r.status != status || r.body != body {
		t.Fatalf("answer %d %s, want %d %s", r.status, r.body, status, body)
	}
}

// wantError compares status and code.
func (r httpReply) wantError(t testing.TB, status int, code string) {
	t.Helper()
	var e struct{ Code, Message string }
	if err := json.Unmarshal([]byte(r.body), &e); err != nil || r.status != status || e.Code != code || e.Message == "" {
		t.Fatalf("answer %d %s, want %d %s with a message", r.status, r.body, status, code)
	}
	if status == http.StatusTooManyRequests && r.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
}

// list returns the lines of the list, without the header.
func (n *httpNet) list() []string {
	n.t.Helper()
	r := n.do(player4, "GET /games", "")
	if r.status != http.StatusOK || !strings.HasSuffix(r.body, "\n") {
		n.t.Fatalf("list %d %q", r.status, r.body)
	}
	return strings.Split(strings.TrimSuffix(r.body, "\n"), "\n")[1:]
}

// An httpHosted is the lobby's answer to a host that has announced a game.
type httpHosted struct {
	GameID, HostToken, LobbyToken, MOTD string
}

// room is the body of a real host, without its join options.
const room = `{"v":"4.7.0","netv":[16384,104],"name":"Grüße from Go","host":{"name":"GoTester",` +
	`"pk":"AISvCVmVREY6hfgWZRpHqAjGVfi+3dF8zDRJmqd6Po4="},"map":["Sk-Rush",""],"players":{"cur":0,"max":4},` +
	`"specs":{"cur":1,"max":3},"ally":0,"lim":0}`

// create announces a game.
func (n *httpNet) create(from, body string) (h httpHosted) {
	n.t.Helper()
	r := n.do(from, "POST /game", body)
	if err := json.Unmarshal([]byte(r.body), &h); err != nil || r.status != http.StatusCreated || h.GameID == "" {
		n.t.Fatalf("created: %d %s", r.status, r.body)
	}
	return h
}

// request is a line about the game, with its token.
func (h *httpHosted) request(method, path string) string {
	return fmt.Sprintf("%s /game/%s%s %s", method, h.GameID, path, h.HostToken)
}

// publish announces a game and waits until the lobby has checked and listed it.
func (n *httpNet) publish(from string, port uint16, body string) httpHosted {
	n.t.Helper()
	h := n.create(from, body)
	n.playAt(fmt.Sprintf("%s:%d", from, port), &h)
	n.do(from, h.request("POST", "/connection"), fmt.Sprintf(`{"type":"tcp:ip4","host":"","port":%d}`, port))
	synctest.Wait()
	r := n.do(from, h.request("PATCH", ""), "{}")
	if !strings.Contains(r.body, `"published":true`) {
		n.t.Fatalf("not published: %d %s", r.status, r.body)
	}
	return h
}

// playAt opens the port of a game, which answers Probes as hosts of 4.7 do.
func (n *httpNet) playAt(addr string, h *httpHosted) *nettest.Listener {
	n.t.Helper()
	l, err := n.network.Listen(netip.MustParseAddrPort(addr))
	fatalIf(n.t, err)
	n.t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				answerLook(c, h)
			}()
		}
	}()
	return l
}

// answerLook reads 8 zero bytes and a frame, and answers if the token is right.
func answerLook(c net.Conn, h *httpHosted) {
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
