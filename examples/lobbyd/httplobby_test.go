package main

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// hostRequest sends a request as a host of Warzone 4.7 does, and returns the answer.
func hostRequest(t *testing.T, endpoint wzhttp.Endpoint, lobby, id, token, body string) (status int, answer []byte) {
	t.Helper()
	path, err := endpoint.Path(id)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), endpoint.Method(), "http://"+lobby+lobbyPath+path,
		strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", wzhttp.Authorization(token))
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	b, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode, b
}

// A host of Warzone 4.7 announces its game at the port of the page, and the lobby lists
// it over HTTPS at its own port. The host continues after restarts of lobbyd, both
// before and after its game is published.
func TestHTTPHostSurvivesRestarts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key, trusting := writeCertificate(t, dir)
	args := append(anywhere(), "-http", "127.0.0.1:0", "-tls-cert", cert, "-tls-key", key,
		"-no-verify", "-motd", "Welcome", "-data", dir)
	l := start(t, args...)
	status, b := hostRequest(t, wzhttp.EndpointCreate, l.addr["web"], "", "none",
		`{"v":"4.7.0","netv":[16384,104],"name":"Chess","host":{"name":"Anna","pk":""},"map":["Rush",""],"players":{"cur":0,"max":4}}`)
	created, err := wzhttp.ParseCreated(b)
	if err != nil || status != http.StatusCreated || created.MOTD != "Welcome" {
		t.Fatalf("created: %d %s, %v", status, b, err)
	}
	host := func(endpoint wzhttp.Endpoint, body string) string {
		t.Helper()
		status, b := hostRequest(t, endpoint, l.addr["web"], created.GameID, created.HostToken, body)
		if !endpoint.Accepts(status) {
			t.Fatalf("%s: %d %s", body, status, b)
		}
		return string(b)
	}
	restart := func() {
		t.Helper()
		if code := l.end(); code != exitOK {
			t.Fatalf("exit code %d", code)
		}
		l = start(t, args...)
	}
	restart() // before the game is published
	host(wzhttp.EndpointConnection, `{"type":"tcp:ip4","host":"","port":34567}`)
	for range 2 {
		if got := host(wzhttp.EndpointPatch, "{}"); !strings.Contains(got, `"published":true`) {
			t.Fatalf("not published: %s", got)
		}
		restart() // at once
	}
	list := func() {
		t.Helper()
		c := &wzhttpnet.Client{HTTP: trusting, ListEvery: -1}
		eventually(t, func() string { // lobbyd closes a connection that is late with its request
			got, err := c.List(t.Context(), "https://"+l.addr["http"]+lobbyPath)
			if err != nil || len(got.Games) != 1 || got.Games[0].Room.Name != "Chess" || got.Games[0].ID != created.GameID {
				return fmt.Sprintf("list: %+v, %v", got, err)
			}
			return ""
		})
	}
	list()
	eventually(t, func() string {
		all := l.get(t, "/api/servers?q=chess")
		if !strings.Contains(all, `"name":"Chess"`) {
			return "the API has " + all
		}
		return ""
	})
	all := l.get(t, "/api/servers")
	id := regexp.MustCompile(`"id":"([^"]*)"`).FindStringSubmatch(all)[1]
	for _, path := range []string{"/api/servers", "/api/servers/" + id, "/server/" + id, "/api/servers?q=34567"} {
		if text := l.get(t, path); strings.Contains(text, "127.0.0.1") || strings.Contains(text, "34567") {
			t.Errorf("%s has the address that only players who join get: %s", path, text)
		}
	}
	restart()
	list()
	host(wzhttp.EndpointPatch, `{"players":{"cur":1,"max":4}}`)
	host(wzhttp.EndpointDelete, "")
}

// announceAcross announces a game of Warzone 4.7 and sends each request to another
// node, as a load balancer may.
func announceAcross(t *testing.T, nodes []*running, name string) {
	t.Helper()
	status, b := hostRequest(t, wzhttp.EndpointCreate, nodes[0].addr["web"], "", "none",
		`{"v":"4.7.0","netv":[16384,104],"name":"`+name+
			`","host":{"name":"Anna","pk":""},"map":["Rush",""],"players":{"cur":0,"max":4}}`)
	created, err := wzhttp.ParseCreated(b)
	if err != nil {
		t.Fatalf("created: %d %s, %v", status, b, err)
	}
	for _, step := range []struct {
		node     int
		endpoint wzhttp.Endpoint
		body     string
		want     string
	}{
		{1, wzhttp.EndpointConnection, `{"type":"tcp:ip4","host":"","port":2100}`, `"validated"`},
		{2, wzhttp.EndpointPatch, `{}`, `"published":true`},
		{0, wzhttp.EndpointPatch, `{}`, `"published":true`},
	} {
		eventually(t, func() string {
			status, b := hostRequest(t, step.endpoint, nodes[step.node].addr["web"], created.GameID, created.HostToken,
				step.body)
			switch {
			case status == http.StatusTooManyRequests:
				return "the node does not know the game: " + string(b)
			case !step.endpoint.Accepts(status):
				t.Fatalf("%s: %d %s", step.body, status, b)
			case !strings.Contains(string(b), step.want):
				return "the node has not heard of the connection: " + string(b)
			}
			return ""
		})
	}
}

// The lobby address that players set may end with a slash.
func TestAddressMayEndWithASlash(t *testing.T) {
	l := start(t, append(anywhere(), "-http", "127.0.0.1:0", "-motd", "Welcome")...)
	for _, server := range []string{"web", "http"} {
		r, err := http.Get("http://" + l.addr[server] + lobbyPath + "//api/v1/games")
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.Request.URL.Path != lobbyPath+"//api/v1/games" || !strings.Contains(string(b), "Welcome") {
			t.Errorf("%s: redirected to %s: %q, %v", server, r.Request.URL, b, err)
		}
	}
}

// A request with an ambiguous length, which proxies and servers may read differently,
// cannot smuggle in a second request.
func TestAmbiguousLengthIsRefused(t *testing.T) {
	l := start(t, append(anywhere(), "-http", "127.0.0.1:0")...)
	for _, server := range []string{"web", "http"} {
		c, err := net.Dial("tcp", l.addr[server])
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.SetDeadline(time.Now().Add(patience))
		hidden := "GET " + lobbyPath + "/api/v1/games HTTP/1.1\r\nHost: x\r\n\r\n"
		fmt.Fprintf(c,
			"POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n%s",
			5+len(hidden), hidden)
		b, err := io.ReadAll(c)
		if err != nil || strings.Count(string(b), "HTTP/1.1 ") != 1 {
			t.Errorf("%s: %q, %v", server, b, err)
		}
	}
}

// A player with a banned address cannot join a game, not even through a proxy.
func TestBannedPlayersCannotJoin(t *testing.T) {
	l := start(t, append(anywhere(), "-trusted-proxy", "127.0.0.1", "-ban", "192.0.2.0/24")...)
	host(t, l, "Chess")
	l.wantWarzone(t, "Chess")
	as := func(player, method, path string) (status int, body string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method,
			"http://"+l.addr["web"]+lobbyPath+wzhttp.BasePath+path, strings.NewReader(`{"asSpec":false}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Forwarded-For", player)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		b, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(b)
	}
	_, list := as("198.51.100.1", http.MethodGet, "/games")
	_, after, _ := strings.Cut(list, `{"id":"`)
	id, _, _ := strings.Cut(after, `"`)
	join := "/game/" + id + "/request-join"
	if status, b := as("198.51.100.1", http.MethodPost, join); status != http.StatusOK ||
		!strings.Contains(b, "127.0.0.1") {
		t.Errorf("a player: %d %s", status, b)
	}
	if status, b := as("192.0.2.1", http.MethodPost, join); status != http.StatusForbidden ||
		strings.Contains(b, "127.0.0.1") {
		t.Errorf("a banned player: %d %s", status, b)
	}
}

// writeCertificate writes a certificate for 127.0.0.1 and its key to files, and returns
// a client that trusts the certificate.
func writeCertificate(t *testing.T, dir string) (cert, key string, trusting *http.Client) {
	t.Helper()
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	pair := s.TLS.Certificates[0]
	b, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("cert.pem", "CERTIFICATE", pair.Certificate[0]), write("key.pem", "PRIVATE KEY", b), s.Client()
}

// An incomplete TLS configuration is an error.
func TestIncompleteTLSConfigIsRefused(t *testing.T) {
	for _, args := range [][]string{
		{"--tls-cert", "x"}, {"--tls-key", "x"}, {"--acme", "lobby.example"},
		{"--tls-cert", "x", "--tls-key", "x", "--acme", "lobby.example", "--acme-cache", "x"},
	} {
		if _, err := load(args); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
	if _, err := load([]string{"--acme", "lobby.example", "--acme-cache", t.TempDir()}); err != nil {
		t.Error(err)
	}
}

// Without a configured key, the nodes of a cluster derive the same key from their
// secret.
func TestNodesDeriveTheSameKey(t *testing.T) {
	var c config
	if c.tokenKey() != nil {
		t.Error("there is a key without a secret")
	}
	c.Cluster.secret = "0123456789abcdef"
	derived := string(c.tokenKey())
	c.Warzone.key = "another secret of this node"
	if derived == "" || derived == c.Cluster.secret || string(c.tokenKey()) != c.Warzone.key {
		t.Errorf("keys %q and %q", derived, c.tokenKey())
	}
}

// The curl commands of README.md work.
func TestCurlCommandsWork(t *testing.T) {
	curl := suite.Program(t, "curl")
	l := start(t, append(anywhere(), "-motd", "Welcome")...)
	want := []string{`{"type":"header","motd":"Welcome"}` + "\n",
		`{"code":"GAME_NOT_FOUND","message":"There is no such game."}`}
	for _, line := range regexp.MustCompile(`(?m)^curl .*/lobby/.*$`).FindAllString(read(t, "README.md"), -1) {
		var args []string
		for _, arg := range strings.Fields(line)[1:] {
			args = append(args, strings.Replace(strings.Trim(arg, "'"), "127.0.0.1:8080", l.addr["web"], 1))
		}
		got, err := exec.Command(curl, append([]string{"--silent", "--show-error"}, args...)...).Output()
		if err != nil || len(want) == 0 || string(got) != want[0] {
			t.Fatalf("%s: %q, %v, want %q", line, got, err, want)
		}
		want = want[1:]
	}
	if len(want) > 0 {
		t.Errorf("README.md has no command for %q", want)
	}
}
