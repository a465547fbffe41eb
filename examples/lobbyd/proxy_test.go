//go:build unix

package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/programtest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A recipe is a configuration of OPERATING.md for a proxy.
type recipe struct {
	program      string
	listen, free string   // in the configuration, and what replaces it
	args         []string // CONFIG is the configuration, and DIR its folder
	check        []string // the same, to check that the program supports the configuration
	frame        string   // around the configuration, which replaces RECIPE
}

var recipes = map[string]recipe{
	"nginx": {"nginx", "listen 443 ", "listen ADDR ", []string{"-p", "DIR", "-e", "stderr", "-c", "CONFIG"},
		[]string{"-p", "DIR", "-e", "stderr", "-c", "CONFIG", "-t"}, `
daemon off;
pid DIR/pid;
events {}
http {
	access_log off;
	client_body_temp_path DIR/body;
	proxy_temp_path DIR/proxied;
	fastcgi_temp_path DIR/fastcgi;
	uwsgi_temp_path DIR/uwsgi;
	scgi_temp_path DIR/scgi;
	RECIPE
}
`},
	"haproxy": {"haproxy", "bind :443 ", "bind ADDR ", []string{"-f", "CONFIG"}, []string{"-c", "-f", "CONFIG"}, "RECIPE"},
	"caddyfile": {"caddy", "lobby.example {", "lobby.example:PORT {",
		[]string{"run", "--adapter", "caddyfile", "--config", "CONFIG"},
		[]string{"validate", "--adapter", "caddyfile", "--config", "CONFIG"}, `
{
	admin off
	auto_https disable_redirects
	local_certs
	skip_install_trust
	storage file_system DIR/storage
}
RECIPE`},
}

// A proxy runs in front of lobbyd, with the configuration of OPERATING.md.
type proxy struct {
	client *http.Client // of a player at 127.0.0.2
}

// startProxy starts a proxy for a lobbyd at an address.
func startProxy(t *testing.T, language, lobbyd string) *proxy {
	t.Helper()
	r := recipes[language]
	text := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindStringSubmatch(read(t, "OPERATING.md"))
	if text == nil {
		t.Fatalf("OPERATING.md has no configuration in %s", language)
	}
	program := suite.Program(t, r.program, "/usr/sbin/"+r.program) // where it is in Debian, also without root
	dir, at := t.TempDir(), programtest.UnusedAddr(t)
	cert, key, _ := writeCertificate(t, dir)
	both := filepath.Join(dir, "both.pem")
	rewrite(t, both, read(t, cert)+read(t, key))
	config := strings.NewReplacer(
		r.listen, r.free, "127.0.0.1:8080", lobbyd,
		"/etc/ssl/lobby.example.pem", both, "/etc/ssl/lobby.example.key", key,
	).Replace(text[1])
	file := filepath.Join(dir, "config")
	fill := strings.NewReplacer("RECIPE", config, "CONFIG", file, "DIR", dir)
	config = strings.NewReplacer("ADDR", at, "PORT", strings.TrimPrefix(at, "127.0.0.1:")).Replace(fill.Replace(r.frame))
	rewrite(t, file, config)

	command := func(args []string) *exec.Cmd {
		cmd := exec.Command(program)
		for _, arg := range args {
			cmd.Args = append(cmd.Args, fill.Replace(arg))
		}
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir)
		return cmd
	}
	suite.Success(t, command(r.check))
	cmd := command(r.args)
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
		if t.Failed() {
			t.Logf("%s says %s", r.program, said.String())
		}
	})
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	transport := &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, at)
		},
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &proxy{&http.Client{Transport: transport}}
}

// lobby sends a request of a host or a player, who also claims another address.
func (p *proxy) lobby(t *testing.T, endpoint wzhttp.Endpoint, id, token, body string) (*http.Response, string) {
	t.Helper()
	path, err := endpoint.Path(id)
	if err != nil {
		t.Fatal(err)
	}
	return p.send(t, endpoint.Method(), lobbyPath+path, token, body)
}

func (p *proxy) send(t *testing.T, method, path, token, body string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "https://lobby.example"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", wzhttp.Authorization(token))
	r.Header.Set("X-Forwarded-For", "203.0.113.9")
	reply, err := p.client.Do(r)
	if err != nil {
		return &http.Response{Status: err.Error()}, ""
	}
	defer reply.Body.Close()
	b, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply, string(b)
}

// wantWait checks that the host of a game waits, also while the proxy starts.
func (p *proxy) wantWait(t *testing.T, endpoint wzhttp.Endpoint, id, token, body string) {
	t.Helper()
	eventually(t, func() string {
		r, answer := p.lobby(t, endpoint, id, token, body)
		switch {
		case r.StatusCode == 0:
			return r.Status
		case r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") != "5":
			t.Fatalf("without lobbyd: %s, %v, %s", r.Status, r.Header, answer)
		}
		return ""
	})
}

// Behind each proxy, hosts of Warzone 4.7 survive while lobbyd is down, their games have
// their own addresses, and events arrive at once.
func TestHostsSurviveBehindProxies(t *testing.T) {
	for language := range recipes {
		t.Run(language, func(t *testing.T) {
			at := programtest.UnusedAddr(t)
			p := startProxy(t, language, at)
			const game = `{"v":"4.7.0","netv":[16384,104],"name":"Chess","host":{"name":"Anna","pk":""},` +
				`"map":["Rush",""],"players":{"cur":0,"max":4}}`
			p.wantWait(t, wzhttp.EndpointCreate, "", "none", game)

			args := append(anywhere(), "-web", at, "-trusted-proxy", "127.0.0.1", "-no-verify", "-data", t.TempDir())
			l := start(t, args...)
			r, answer := p.lobby(t, wzhttp.EndpointCreate, "", "none", game)
			created, err := wzhttp.ParseCreated([]byte(answer))
			if err != nil {
				t.Fatalf("created: %s, %s", r.Status, answer)
			}
			host := func(endpoint wzhttp.Endpoint, body, want string) {
				t.Helper()
				r, answer := p.lobby(t, endpoint, created.GameID, created.HostToken, body)
				if !endpoint.Accepts(r.StatusCode) || !strings.Contains(answer, want) {
					t.Fatalf("%s: %s, %s, want %s", body, r.Status, answer, want)
				}
			}
			host(wzhttp.EndpointConnection, `{"type":"tcp:ip4","host":"","port":34567}`, "")
			host(wzhttp.EndpointPatch, "{}", `"published":true`)
			if _, answer := p.lobby(t, wzhttp.EndpointJoin, created.GameID, "", `{"asSpec":false}`); !strings.Contains(
				answer, `"127.0.0.2"`) {
				t.Errorf("players get %s", answer)
			}
			p.wantEvents(t, func() { host(wzhttp.EndpointPatch, `{"name":"Checkers"}`, "") }, "Checkers")

			if code := l.end(); code != exitOK {
				t.Fatalf("exit code %d", code)
			}
			p.wantWait(t, wzhttp.EndpointPatch, created.GameID, created.HostToken, `{"name":"Draughts"}`)
			start(t, args...)
			host(wzhttp.EndpointPatch, `{"name":"Draughts"}`, `"published":true`)
			if _, list := p.lobby(t, wzhttp.EndpointList, "", "", ""); !strings.Contains(list, "Draughts") {
				t.Errorf("the list has %s", list)
			}
		})
	}
}

// wantEvents checks that an event arrives without a buffer in between.
func (p *proxy) wantEvents(t *testing.T, change func(), want string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://lobby.example/api/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/event-stream")
	reply, err := p.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	lines := bufio.NewScanner(reply.Body)
	lines.Buffer(nil, 1<<20)
	if !lines.Scan() {
		t.Fatalf("no events: %s, %v", reply.Status, lines.Err())
	}
	change()
	for lines.Scan() {
		if strings.Contains(lines.Text(), want) {
			return
		}
	}
	t.Errorf("the change does not arrive: %v", lines.Err())
}
