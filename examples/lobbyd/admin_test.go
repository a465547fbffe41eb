package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/internal/admission"
)

const token = "a token that nobody guesses"

// admin runs lobbyd admin, and returns its exit code and output.
func admin(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var said strings.Builder
	code := run(t.Context(), append([]string{"admin"}, args...), nil, &said, &said)
	return code, said.String()
}

// withAdminListener returns flags for a lobbyd with a TCP listener for operators, who have the
// token.
func withAdminListener(t *testing.T, args ...string) []string {
	t.Helper()
	return append(append(anywhere(), "-admin-listen", "127.0.0.1:0", "-admin-token-file", file(t, token)), args...)
}

// adminOf starts a lobbyd with a unix socket and a TCP listener for operators, and
// returns the flags for the socket.
func adminOf(t *testing.T, args ...string) (*running, []string) {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "admin.sock")
	args = append(withAdminListener(t, "-admin", socket), args...)
	l := start(t, args...)
	return l, []string{"-socket", socket}
}

func TestOnlyOperatorsMayAct(t *testing.T) {
	l, over := adminOf(t)
	if mode := modeOf(t, over[1]); mode != os.ModeSocket|0o600 {
		t.Errorf("the socket is %v", mode)
	}
	for authorization, want := range map[string]int{
		"":                      http.StatusUnauthorized,
		"Bearer":                http.StatusUnauthorized,
		"Bearer ":               http.StatusUnauthorized,
		"Bearer " + token[1:]:   http.StatusUnauthorized,
		"Bearer " + token + "x": http.StatusUnauthorized,
		"Basic " + token:        http.StatusUnauthorized,
		"Bearer " + token:       http.StatusOK,
	} {
		for _, path := range []string{"/status", "/bans"} {
			if got := l.adminGet(t, path, authorization); got != want {
				t.Errorf("%s with %q: %d, want %d", path, authorization, got, want)
			}
		}
	}
	if got := l.adminGet(t, "/debug/pprof/", "Bearer "+token); got != http.StatusNotFound {
		t.Errorf("profiles without -pprof: %d", got)
	}
	for _, path := range []string{"/status", "/bans", "/debug/pprof/"} {
		if body := l.get(t, path); strings.Contains(body, "phase") || strings.Contains(body, "goroutine") {
			t.Errorf("%s is on the page", path)
		}
	}
	if code, said := admin(t, append(over, "status", "-json")...); code != exitOK ||
		!strings.Contains(said, `"phase": "ready"`) {
		t.Errorf("over the socket: %d, %s", code, said)
	}
	right := file(t, token)
	if code, said := admin(t, "-url", "http://"+l.addr["admin-listen"], "-token-file", right, "status"); code != exitOK ||
		!strings.Contains(said, "ready") {
		t.Errorf("with the token: %d, %s", code, said)
	}
	wrong := file(t, token+"x\n")
	if code, said := admin(t, "-url", "http://"+l.addr["admin-listen"]+"/", "-token-file", wrong,
		"status"); code != exitFailed || !strings.Contains(said, "token of the operator") {
		t.Errorf("with a wrong token: %d, %s", code, said)
	}
	l.end()
	if _, err := os.Lstat(over[1]); err == nil {
		t.Error("the socket is still there")
	}
}

// Without a configured token, no token is accepted, not even an empty one: operators must
// use the Unix socket.
func TestWithoutATokenNoneIsAccepted(t *testing.T) {
	h := onlyOperators("", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for _, authorization := range []string{"", "Bearer", "Bearer ", "Bearer  ", "bearer ", "Basic ", "Bearer x"} {
		r, w := httptest.NewRequest(http.MethodPost, "/ban", nil), httptest.NewRecorder()
		r.Header.Set("Authorization", authorization)
		h.ServeHTTP(w, r)
		if w.Code != http.StatusUnauthorized {
			t.Errorf("%q: status %d", authorization, w.Code)
		}
	}
}

func modeOf(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

func (l *running) adminGet(t *testing.T, path, authorization string) int {
	t.Helper()
	q, err := http.NewRequest(http.MethodGet, "http://"+l.addr["admin-listen"]+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if authorization != "" {
		q.Header.Set("Authorization", authorization)
	}
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	io.Copy(io.Discard, r.Body)
	return r.StatusCode
}

// Bans by the operator take effect at once and survive a reload. The operator cannot
// remove bans of the file. The answer is the ban, with its network.
func TestBansOfOperatorsSurviveReloads(t *testing.T) {
	const other = "127.0.0.2"
	l, over := adminOf(t, "-ban", "198.51.100.7")
	do := func(want int, args ...string) string {
		t.Helper()
		code, said := admin(t, append(over, args...)...)
		if code != want {
			t.Errorf("%v: exit code %d, %s", args, code, said)
		}
		return said
	}
	said := do(exitOK, "ban", "-yes", "127.0.0.3/31")
	if !strings.Contains(said, "127.0.0.3/31 means the whole network 127.0.0.2/31.") ||
		!strings.Contains(said, `"prefix": "127.0.0.2/31"`) || strings.Contains(said, "198.51.100.7") {
		t.Errorf("it says %s", said)
	}
	do(exitOK, "ban", "-pattern", "(?i)casino")
	l.reloads(t, "reloaded")
	if connects(t, other, l.addr["web"]) {
		t.Error("the ban does not hold")
	}
	want := []rule{
		{Prefix: "198.51.100.7/32", From: "file"},
		{Prefix: other + "/31", From: "admin"},
		{Pattern: "(?i)casino", From: "admin"},
	}
	if diff := cmp.Diff(want, listedBans(t, over)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := l.metric(t, `lobbyd_bans{kind="prefix"}`); got != "2" {
		t.Errorf("%s bans", got)
	}
	for _, refused := range [][]string{
		{"unban", "198.51.100.7"}, {"unban", "10.0.0.0/8"}, {"unban", "-pattern", "casino"},
	} {
		do(exitFailed, refused...)
	}
	for _, wrong := range [][]string{
		{"ban", "10.0.0.0/99"}, {"ban", "-pattern", "("}, {"ban", "-pattern", ""}, {"ban"}, {"ban", "192.0.2.1", "192.0.2.2"},
		{"ban", "-for", "1y", "192.0.2.1"}, {"ban", "-nosuch", "192.0.2.1"}, {"unban", "nosuch"}, {"hide", "192.0.2.1"},
		{"unhide", "192.0.2.1"}, {"explain", "192.0.2"}, {"loglevel", "loud"}, {"loglevel"}, {"nosuch"}, {"bans", "all"},
	} {
		do(exitUsage, wrong...)
	}
	do(exitOK, "unban", other+"/31")
	if said := do(exitOK, "unban", "-pattern", "(?i)casino"); !strings.Contains(said, `"ended": true`) {
		t.Errorf("it says %s", said)
	}
	if left := listedBans(t, over); len(left) != 1 {
		t.Errorf("left are %v", left)
	}
	if !connects(t, other, l.addr["web"]) {
		t.Error("the ban holds after it has ended")
	}
}

// Draining changes only /readyz.
func TestDrainChangesOnlyReadyz(t *testing.T) {
	l, over := adminOf(t)
	ready := func(want string) {
		t.Helper()
		if got := strings.TrimSpace(l.get(t, "/readyz")); got != want {
			t.Errorf("readyz says %s, want %s", got, want)
		}
	}
	ready("ready")
	for range 2 {
		admin(t, append(over, "drain")...)
		ready("draining")
	}
	if got := l.metric(t, "lobbyd_ready"); got != "0" {
		t.Errorf("lobbyd_ready %s", got)
	}
	host(t, l, "still listed")
	l.wantWarzone(t, "still listed")
	if got := l.get(t, "/healthz"); got != "ok\n" {
		t.Errorf("healthz says %s", got)
	}
	admin(t, append(over, "undrain")...)
	ready("ready")
}

func TestAdminRefusesWrongRequests(t *testing.T) {
	name := file(t, "")
	l, over := adminOf(t, "-pprof", "-config", name)
	if code, said := admin(t, append(over, "loglevel", "debug")...); code != exitOK ||
		!strings.Contains(said, "debug") {
		t.Errorf("loglevel: %d, %s", code, said)
	}
	for _, tt := range []struct{ args, want string }{
		{"loglevel", "accepts 1 arg"},
		{"nosuch", "unknown command"},
		{"-socket /nosuch status", "/nosuch"},
		{"-url nosuch://x status", "nosuch"},
	} {
		if code, said := admin(t, append(over, strings.Fields(tt.args)...)...); code == exitOK ||
			!strings.Contains(said, tt.want) {
			t.Errorf("%s: %d, %s", tt.args, code, said)
		}
	}
	if got := l.adminGet(t, "/debug/pprof/goroutine?debug=1", "Bearer "+token); got != http.StatusOK {
		t.Errorf("profiles: %d", got)
	}
	if code, said := admin(t, append(over, "reload")...); code != exitOK || !strings.Contains(said, "info") {
		t.Errorf("reload: %d, %s", code, said)
	}
	rewrite(t, name, "motd = 1")
	if code, said := admin(t, append(over, "reload")...); code != exitFailed ||
		!strings.Contains(said, "there is no motd") {
		t.Errorf("reload of a wrong file: %d, %s", code, said)
	}
}

// All resources of HTTP servers are bounded.
func TestHTTPServersAreBounded(t *testing.T) {
	d := newLobbyd(defaults(), io.Discard)
	s := newHTTPServer(http.NotFoundHandler(), d.fronts.public, new(admission.Conns), d.log)
	for _, limit := range []time.Duration{s.ReadHeaderTimeout, s.ReadTimeout, s.WriteTimeout, s.IdleTimeout} {
		if limit <= 0 || limit > 5*time.Minute {
			t.Errorf("%v", limit)
		}
	}
}

// A game with a banned name disappears from the lists, stays connected, and is listed
// again when the ban ends.
func TestBannedNamesDisappear(t *testing.T) {
	t.Parallel()
	l, over := adminOf(t)
	host(t, l, "Grand Casino")
	l.wantWarzone(t, "Grand Casino")
	listed := func(want, withheld string) {
		t.Helper()
		eventually(t, func() string {
			got := l.metric(t, `lobbyd_listed{family="warzone"}`) + l.metric(t, `lobbyd_withheld{family="warzone"}`)
			if got != want+withheld {
				return "listed and withheld are " + got
			}
			return ""
		})
	}
	listed("1", "0")
	const opened = `lobbyd_games_opened_total{server="warzone"}`
	before := l.metric(t, opened)
	do(t, over, "ban", "-yes", "-reason", "no gambling", "-note", "ask Ann", "-pattern", "(?i)casino")
	listed("0", "1")
	// Everybody may read the reason, but not the pattern and the note.
	for _, path := range []string{"/api/explain?address=127.0.0.1", "/api/servers?quarantined=1"} {
		eventually(t, func() string {
			text := l.get(t, path)
			if strings.Contains(text, "(?i)") || strings.Contains(text, "Ann") {
				t.Errorf("%s: %s", path, text)
			}
			if !strings.Contains(text, "banned name: no gambling") {
				return text
			}
			return ""
		})
	}
	if got := l.metric(t, `lobbyd_withheld_causes{cause="name"}`); got != "1" {
		t.Errorf("%s hidden because of the name", got)
	}
	admin(t, append(over, "unban", "-pattern", "(?i)casino")...)
	listed("1", "0")
	if got := l.metric(t, opened); got != before {
		t.Errorf("it was opened %s times, %s before the ban", got, before)
	}
}

// The host that a request names grants no access. The page of another site can reach lobbyd
// by a name that points to this machine, but has no token.
func TestHostOfARequestGrantsNothing(t *testing.T) {
	l, _ := adminOf(t)
	get := func(server, path, host string) int {
		t.Helper()
		q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+l.addr[server]+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Host = host
		r, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		return r.StatusCode
	}
	for _, host := range []string{"rebound.example", "localhost", "127.0.0.1", "[::1]", "lobbyd", l.addr["admin-listen"]} {
		for _, path := range []string{"/status", "/bans"} {
			if got := get("admin-listen", path, host); got != http.StatusUnauthorized {
				t.Errorf("%s of %s without a token: %d", path, host, got)
			}
			if got := get("web", path, host); got != http.StatusNotFound {
				t.Errorf("%s of %s on the page: %d", path, host, got)
			}
		}
		if got := get("web", "/metrics", host); got != http.StatusNotFound {
			t.Errorf("metrics of %s on the page: %d", host, got)
		}
		if got := get("web", "/", host); got != http.StatusOK {
			t.Errorf("the page of %s: %d", host, got)
		}
	}
}
