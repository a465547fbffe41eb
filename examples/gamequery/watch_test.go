package main

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/fleet"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

func TestWatchReportsHealth(t *testing.T) {
	t.Parallel()
	closed := nettest.ClosedUDP(t)
	addr, _ := background(t, "serve", "sqp", "-name", hostileName, "127.0.0.1:0")
	_, port, _ := strings.Cut(addr, ":")
	list := filepath.Join(t.TempDir(), "servers")
	if err := os.WriteFile(list, []byte("# mine\n"+addr+" one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		args  []string
		stdin string
		code  int
		want  []string // parts of the lines of standard output
		err   string
	}{
		{"it answers", []string{"sqp", addr}, "", exitOK, []string{addr + " answers, "}, ""},
		{"by name", []string{"sqp", "localhost:" + port}, "", exitOK, []string{"localhost:" + port + " answers, "}, ""},
		{"from a file", []string{"-from", list, "sqp", addr}, "", exitOK, []string{addr + " answers, "}, ""},
		{"from standard input", []string{"sqp", "-"}, addr + "\n", exitOK,
			[]string{"players 3/16, " + shownName[len("\u2068"):len(shownName)-len("\u2069")]}, ""},
		{"one does not answer", []string{"sqp", addr, closed}, "", exitFailed,
			[]string{" answers, ", closed + " does not answer: "}, "no answer from 1 of 2 servers\n"},
		{"no such name", []string{"sqp", "host.invalid:1"}, "", exitFailed,
			[]string{"host.invalid:1 does not answer: unknown, "}, "1 of 1 server\n"},
		{"no target", []string{"sqp"}, "", exitUsage, nil, "no TARGET"},
		{"no protocol", nil, "", exitUsage, nil, "want a PROTOCOL"},
		{"no port", []string{"sqp", "127.0.0.1"}, "", exitUsage, nil, "port is missing"},
		{"no target in a list", []string{"sqp", "-"}, addr + "\nno\n", exitUsage, nil, "standard input, line 2: "},
		{"no queries", []string{"warzone", closed}, "", exitUsage, nil, "no queries"},
		{"metrics", []string{"-metrics", "127.0.0.1:0", "sqp", addr}, "", exitUsage, nil, "-health ends by itself"},
		{"sidecar", []string{"-agones", "sqp", addr}, "", exitUsage, nil, "-health ends by itself"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "by name" {
				suite.Localhost(t)
			}
			args := append([]string{"watch", "-health", "-timeout", "500ms"}, tt.args...)
			code, stdout, stderr := gamequery([]byte(tt.stdin), args...)
			if code != tt.code || !strings.Contains(stderr, tt.err) || strings.Count(stdout, "\n") != len(tt.want) {
				t.Fatalf("exit code %d, %s%s", code, stdout, stderr)
			}
			for i, line := range strings.Split(stdout, "\n")[:len(tt.want)] {
				if !strings.Contains(line, tt.want[i]) {
					t.Errorf("line %q, want %q", line, tt.want[i])
				}
			}
		})
	}
}

// linesOf returns a writer and a channel with the lines written to it.
func linesOf(t *testing.T) (io.Writer, <-chan string) {
	r, w := io.Pipe()
	t.Cleanup(func() { w.Close() })
	all := make(chan string, 100)
	go func() {
		for lines := bufio.NewScanner(r); lines.Scan(); {
			all <- lines.Text()
		}
	}()
	return w, all
}

// fetch gets a page.
func fetch(t *testing.T, url string) (status int, body string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// A watch reports that a server has stopped answering. Its metrics agree.
func TestWatchMetricsAgreeWithItsReports(t *testing.T) {
	closed := nettest.ClosedUDP(t)
	server, stopServer := background(t, "serve", "gamespy2", "-name", "Ours", "127.0.0.1:0")
	out, output := linesOf(t)
	addr, stop := backgroundTo(t, out, "watch", "-metrics", "127.0.0.1:0", "-every", "10ms", "-timeout", "500ms",
		"gamespy2", server, closed)
	wantReports := func(want ...string) {
		t.Helper()
		for _, w := range want {
			if line := <-output; !strings.Contains(line, w) {
				t.Errorf("reported %q, want %q", line, w)
			}
		}
	}
	wantReports("Z "+server+" answers, ", "Z "+closed+" does not answer: refused, ", "; down after 3 failures in a row")
	_, before := fetch(t, "http://"+addr+"/metrics")
	stopServer()
	wantReports("Z "+server+" does not answer: ", "; down after 3 failures in a row")
	_, after := fetch(t, "http://"+addr+"/metrics")
	for _, want := range []struct{ in, sample string }{
		{before, `gamequery_up{protocol="gamespy2",server="` + server + `"} 1`},
		{before, `gamequery_up{protocol="gamespy2",server="` + closed + `"} 0`},
		{before, `gamequery_players{protocol="gamespy2",server="` + server + `"} 3`},
		{before, `gamequery_players_max{protocol="gamespy2",server="` + server + `"} 16`},
		{before, `name="Ours",protocol="gamespy2"`},
		{after, `gamequery_up{protocol="gamespy2",server="` + server + `"} 0`},
		{after, `gamequery_failures_total{code="`},
	} {
		if !strings.Contains(want.in, want.sample) {
			t.Errorf("lacks %s:\n%s", want.sample, want.in)
		}
	}
	for _, no := range []string{"gamequery_players{", "gamequery_info{", "gamequery_rtt_seconds{"} {
		if strings.Contains(after, no) {
			t.Errorf("has %s:\n%s", no, after)
		}
	}
	status, body := fetch(t, "http://"+addr+"/health")
	if status != http.StatusServiceUnavailable || body != "no answer from 2 of 2 servers\n" {
		t.Errorf("health: %d %s", status, body)
	}
	if code, rest := stop(); code != exitOK || rest != "" {
		t.Errorf("exit code %d, %s", code, rest)
	}
}

// Before the first round nothing is known, so /health fails.
func TestHealthFailsBeforeTheFirstRound(t *testing.T) {
	sqp, _ := protocols.Named("sqp")
	f := fleet.New(sqp, protocols.Settings{})
	if err := f.Add("127.0.0.1:1"); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	fleet.NewMetricsServer(f).Handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/health", nil))
	if w.Code != http.StatusServiceUnavailable {
		t.Errorf("status %d", w.Code)
	}
	w = httptest.NewRecorder()
	fleet.NewMetricsServer(f).Handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK || strings.Contains(w.Body.String(), "gamequery_") ||
		!strings.Contains(w.Body.String(), "go_goroutines ") {
		t.Errorf("status %d, %s", w.Code, w.Body)
	}
}
