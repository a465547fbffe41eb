package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/programtest"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// explained runs lobbyd admin explain.
func explained(t *testing.T, over []string, address string) (x explanation) {
	t.Helper()
	code, said := admin(t, append(over, "explain", address)...)
	if err := json.Unmarshal([]byte(said), &x); code != exitOK || err != nil {
		t.Fatalf("%d, %s", code, said)
	}
	return x
}

// wantRefused waits until an address has a refusal with a reason, and returns it.
func wantRefused(t *testing.T, over []string, address, reason string) (r refused) {
	t.Helper()
	eventually(t, func() string {
		x := explained(t, over, address)
		for _, r = range x.Refusals {
			if r.Reason == reason {
				return ""
			}
		}
		return fmt.Sprintf("no refusal because of %s: %+v", reason, x)
	})
	return r
}

// Of 70 servers at one address 64 are listed, and operators learn why the others are not.
func TestExplainNamesTheLimit(t *testing.T) {
	l, over := adminOf(t, withGameSpy(t)...)
	for i := range 70 {
		registerGameSpy(t, l, fmt.Sprint("Duel ", i))
	}
	eventually(t, func() string {
		full := 0
		for _, r := range explained(t, over, "127.0.0.1").Refusals {
			if r.Reason == "full-address" && r.Server == "gamespy" && strings.Contains(r.Text, "limit 64") {
				full++
			}
		}
		if full != 6 {
			return fmt.Sprintf("%d servers are refused", full)
		}
		return ""
	})
	line := l.logged(t, "not listed")
	if line["level"] != "WARN" || line["prefix"] != "127.0.0.0/24" {
		t.Errorf("%v", line)
	}
	if got := l.metric(t, `lobbyd_not_listed_total{reason="full-address"}`); got == "0" {
		t.Error("no refusal is counted")
	}
	if text := l.get(t, "/api/explain?address=127.0.0.1"); !strings.Contains(text, "full-address") {
		t.Errorf("the page is answered with %s", text)
	}
}

func TestExplainNamesWrongKeysAndGames(t *testing.T) {
	t.Parallel()
	l, over := adminOf(t, withGameSpy(t)...)
	for game, key := range map[string]string{gmtest.Name: "other", "gmtests": gmtest.Key} {
		pc, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		s := new(gamespy2net.Server)
		r := &gamespy2net.Registration{Server: s, Addr: l.addr["gamespy"], Conn: pc, Game: game, Key: key}
		inBackground(t, func() { s.Serve(pc) })
		inBackground(t, func() { r.Run(t.Context()) })
		t.Cleanup(func() { s.Close() })
	}
	if r := wantRefused(t, over, "127.0.0.1", "key"); !strings.Contains(r.Text, gmtest.Name) || r.Port == 0 {
		t.Errorf("a wrong key: %+v", r)
	}
	if r := wantRefused(t, over, "127.0.0.1:1", "game"); !strings.Contains(r.Text, "gmtests") ||
		!strings.Contains(r.Text, "did you mean gmtest? served here: gmtest") {
		t.Errorf("an unknown game: %+v", r)
	}
	x := explained(t, over, "127.0.0.1:1")
	if !strings.HasPrefix(x.Summary, "Nothing is known of port 1, but of the address: Not") {
		t.Errorf("at another port: %q", x.Summary)
	}
}

// A legacy server with another key than its game, which does not require it, is listed, and no
// explanation, metric or line of the log says otherwise.
func TestKeyThatIsNotRequiredIsNotExplained(t *testing.T) {
	t.Parallel()
	l, over := adminOf(t)
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := new(gamespy1net.Server)
	query := pc.LocalAddr().(*net.UDPAddr).AddrPort()
	err = s.Set(gamespy1.Status{HostName: "Sam", GameName: "serioussamse", MaxPlayers: new(8),
		HostPort: query.Port() - 1})
	if err != nil {
		t.Fatal(err)
	}
	r := &gamespy1net.Registration{Server: s, Addr: l.addr["gameagent-legacy"], Key: "other", Conn: pc}
	inBackground(t, func() { s.Serve(pc) })
	inBackground(t, func() { r.Run(t.Context()) })
	t.Cleanup(func() { s.Close() })
	eventually(t, func() string {
		x := explained(t, over, "127.0.0.1")
		if len(x.Servers) != 1 || x.Servers[0].Hidden != "" || l.metric(t, "lobbyd_gameagent_wrong_total") == "0" {
			return fmt.Sprintf("%+v", x)
		}
		return ""
	})
	if x := explained(t, over, "127.0.0.1"); len(x.Refusals) > 0 {
		t.Errorf("refused: %+v", x.Refusals)
	}
	if got := l.metric(t, `lobbyd_not_listed_total{reason="key"}`); got != "0" {
		t.Errorf("%s refusals are counted", got)
	}
}

// Explanations name a Warzone host that cannot be reached, and a host of an unknown
// version.
func TestExplainNamesUnreachableWarzoneHosts(t *testing.T) {
	l, over := adminOf(t)
	port := netip.MustParseAddrPort(programtest.UnusedAddr(t)).Port()
	h := &warzonenet.Host{Addr: l.addr["warzone"]}
	err := h.Set(warzone.Game{
		Version: warzone.Version4, Name: "Duel", MapName: "Rush", Size: warzone.SizeOfGame, MaxPlayers: 4, HostPort: port,
	})
	if err != nil {
		t.Fatal(err)
	}
	inBackground(t, func() { h.Run(t.Context()) })
	t.Cleanup(func() { h.Close() })
	if r := wantRefused(t, over, "127.0.0.1", "unreachable"); r.Server != "warzone" || r.Port != port {
		t.Errorf("%+v", r)
	}
	c, err := net.Dial("tcp", l.addr["warzone"])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := c.Write([]byte("addg\x00\x00\x00\x00\x05")); err != nil { // of a version 5
		t.Fatal(err)
	}
	wantRefused(t, over, "127.0.0.1", "version")
}

const someGame = `{"v":"4.7.0","netv":[16384,104],"name":"Chess","host":{"name":"Anna","pk":""},"map":["Rush",""],"players":{"cur":0,"max":4}}`

// createVia announces a 4.7 game as a proxy does for a host, and returns the answer.
func createVia(t *testing.T, l *running, forwarded string) (status int, answer string) {
	t.Helper()
	path, err := wzhttp.EndpointCreate.Path("")
	if err != nil {
		t.Fatal(err)
	}
	// A proxy in front of lobbyd with one header for all requests.
	proxy := httptest.NewRequest(wzhttp.EndpointCreate.Method(), "http://"+l.addr["web"]+lobbyPath+path,
		strings.NewReader(someGame))
	proxy.RequestURI = ""
	if forwarded != "" {
		proxy.Header.Set("X-Forwarded-For", forwarded)
	}
	r, err := http.DefaultClient.Do(proxy)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var b strings.Builder
	if _, err := fmt.Fprint(&b, r.Header, r.Status); err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, b.String()
}

func TestExplainNamesProxyMistakes(t *testing.T) {
	for _, tt := range []struct {
		name      string
		trusted   []string
		forwarded string
		status    int
		isProblem bool
	}{
		{"trusted, without the header", []string{"-trusted-proxy", "127.0.0.1"}, "", http.StatusBadRequest, true},
		{"trusted", []string{"-trusted-proxy", "127.0.0.1"}, "192.0.2.7", http.StatusCreated, false},
		{"trusted, and a host on its machine", []string{"-trusted-proxy", "127.0.0.1"}, "127.0.0.1",
			http.StatusCreated, false},
		{"not trusted", nil, "192.0.2.7", http.StatusCreated, true},
		{"no proxy", nil, "", http.StatusCreated, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, over := adminOf(t, tt.trusted...)
			if status, answer := createVia(t, l, tt.forwarded); status != tt.status {
				t.Errorf("%d, %s", status, answer)
			}
			x := explained(t, over, "127.0.0.1")
			isOfProxy := func(r refused) bool { return r.Reason == "proxy" }
			if slices.ContainsFunc(x.Refusals, isOfProxy) != tt.isProblem {
				t.Errorf("%+v", x)
			}
			if tt.isProblem {
				for line := l.logged(t, ""); ; line = l.logged(t, "") {
					if line["reason"] == "proxy" && line["proxy"] == "127.0.0.1" {
						break
					}
				}
			}
			y := explained(t, over, "192.0.2.7")
			if slices.ContainsFunc(y.Refusals, isOfProxy) != (tt.isProblem && tt.forwarded != "") {
				t.Errorf("the client of the proxy: %+v", y)
			}
		})
	}
}

// The command checks the address itself; other clients of the API get an error.
func TestExplainRefusesWhatIsNoAddress(t *testing.T) {
	t.Parallel()
	l, _ := adminOf(t)
	for address, want := range map[string]int{
		"192.0.2.7": http.StatusOK, "": http.StatusBadRequest, "nobody": http.StatusBadRequest,
	} {
		if got := l.adminGet(t, "/explain?address="+address, "Bearer "+token); got != want {
			t.Errorf("%q: status %d, want %d", address, got, want)
		}
	}
}

func TestExplainHidesBanPatterns(t *testing.T) {
	t.Parallel()
	l, over := adminOf(t, "-ban", "192.0.2.0/24", "-ban-pattern", "(?i)forbidden")
	if x := explained(t, over, "192.0.2.7"); len(x.Bans) != 1 || !strings.Contains(x.Summary, "banned") {
		t.Errorf("%+v", x)
	}
	host(t, l, "Forbidden")
	eventually(t, func() string {
		x := explained(t, over, "127.0.0.1")
		if len(x.Servers) != 1 || !strings.Contains(x.Servers[0].Hidden, "banned name") {
			return fmt.Sprintf("%+v", x)
		}
		return ""
	})
	// The pattern is for operators only.
	if x := explained(t, over, "127.0.0.1"); !strings.Contains(x.Servers[0].Hidden, "(?i)forbidden") {
		t.Errorf("operators get %+v", x)
	}
	for _, path := range []string{"/api/explain?address=127.0.0.1", "/api/servers?quarantined=1"} {
		if text := l.get(t, path); !strings.Contains(text, "banned name") || strings.Contains(text, "(?i)") {
			t.Errorf("%s: %s", path, text)
		}
	}
	if x := explained(t, over, "198.51.100.1"); x.Summary == "" || len(x.Bans)+len(x.Servers)+len(x.Refusals) > 0 {
		t.Errorf("an unknown address: %+v", x)
	}
	if code, said := admin(t, append(over, "explain", "nobody")...); code != exitUsage ||
		!strings.Contains(said, "give an address") {
		t.Errorf("%d, %s", code, said)
	}
}

// A master in sync-from that cannot be reached is logged and counted.
func TestUnreachableSyncMasterIsCounted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lobbyd.toml")
	closed := programtest.UnusedAddr(t)
	if err := os.WriteFile(file, []byte(fmt.Sprintf("[gameagent]\nsync-from = [%q]\n", closed)), 0o600); err != nil {
		t.Fatal(err)
	}
	l := begin(t, append(anywhere(), "-config", file)...)
	isLogged := false
	for line := range l.logs {
		if line["msg"] == "listening" {
			l.addr[line["server"].(string)] = line["address"].(string)
		}
		isLogged = isLogged || line["msg"] == "servers of another master not fetched" && line["level"] == "WARN" &&
			line["master"] == closed
		if isLogged && l.addr["metrics"] != "" {
			break
		}
	}
	if !isLogged {
		t.Fatal("nothing is logged")
	}
	eventually(t, func() string {
		if got := l.metric(t, "lobbyd_gameagent_not_synced_total"); got == "0" {
			return "nothing is counted"
		}
		return ""
	})
}

// The name of a server in an explanation cannot control a terminal.
func TestExplainedNamesAreClean(t *testing.T) {
	if got := foundOf(&catalogue.Entry{Name: "a\x1b[2J\u202eb"}).Name; got != "a⟨1B⟩[2J⟨202E⟩b" {
		t.Errorf("got %q", got)
	}
	if got := foundOf(&catalogue.Entry{Family: catalogue.GameSpy, Name: "^1Red §aleaf"}).Name; got != "Red leaf" {
		t.Errorf("with colours: %q", got)
	}
}
