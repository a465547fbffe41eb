package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A watch calls the health API of the sidecar only while the server answers. It
// continues if the sidecar is not ready yet.
func TestWatchCallsTheSidecar(t *testing.T) {
	suite.Localhost(t)
	var calls atomic.Int64
	called := make(chan string, 100)
	sidecar := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if calls.Add(1) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		io.WriteString(w, "{}")
		select {
		case called <- strings.Join([]string{r.Method, r.URL.Path, r.Header.Get("Content-Type"), string(body)}, " "):
		default:
		}
	}))
	defer sidecar.Close()
	at, err := url.Parse(sidecar.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("AGONES_SDK_HTTP_PORT", at.Port())

	server, stopServer := background(t, "serve", "sqp", "127.0.0.1:0")
	out, output := linesOf(t)
	addr, stop := backgroundTo(t, out, "watch", "-agones", "-metrics", "127.0.0.1:0", "-every", "10ms",
		"-timeout", "500ms", "sqp", server)
	if line := <-output; !strings.Contains(line, " answers, ") {
		t.Fatal(line)
	}
	for range 3 {
		if got, want := <-called, "POST /health application/json {}"; got != want {
			t.Errorf("called %q, want %q", got, want)
		}
	}
	stopServer()
	for _, want := range []string{" does not answer: ", "; down after 3 failures in a row"} {
		if line := <-output; !strings.Contains(line, want) {
			t.Fatalf("%s, want %s", line, want)
		}
	}
	before := calls.Load()
	for asked := failures(t, addr); failures(t, addr) < asked+3; {
	}
	if after := calls.Load(); after != before {
		t.Errorf("%d calls while the server did not answer", after-before)
	}
	code, stderr := stop()
	want := "agones: " + strings.Replace(sidecar.URL, "127.0.0.1", "localhost", 1) +
		"/health: 503 Service Unavailable: \"{}\"; trying again\nagones: the sidecar answers\n"
	if code != exitOK || stderr != want {
		t.Errorf("exit code %d, %s, want %s", code, stderr, want)
	}
}

// failures returns the number of queries that the server of a watch did not answer.
func failures(t *testing.T, addr string) (n int) {
	t.Helper()
	_, text := fetch(t, "http://"+addr+"/metrics")
	failures := regexp.MustCompile(`(?m)^gamequery_failures_total\{.*\} (\d+)$`)
	for _, sample := range failures.FindAllStringSubmatch(text, -1) {
		one, err := strconv.Atoi(sample[1])
		if err != nil {
			t.Fatal(err)
		}
		n += one
	}
	return n
}
