package admission_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// at is the address of the server.
func at() netip.AddrPort { return netip.MustParseAddrPort("192.0.2.1:80") }

// A house is a server with a Limiter.
type house struct {
	t       *testing.T
	limiter *admission.Limiter
	network nettest.Streams
	held    chan struct{} // ends requests for /held
}

// open runs play with a server, in a bubble.
func open(t *testing.T, limiter *admission.Limiter, limits admission.ConnLimits, play func(t *testing.T, h *house)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := &house{t: t, limiter: limiter, held: make(chan struct{})}
		l, err := h.network.Listen(at())
		if err != nil {
			t.Fatal(err)
		}
		mux := http.NewServeMux()
		mux.HandleFunc("/held", func(http.ResponseWriter, *http.Request) { <-h.held })
		mux.HandleFunc("/healthz", func(http.ResponseWriter, *http.Request) {})
		mux.HandleFunc("GET /{$}", func(http.ResponseWriter, *http.Request) {})
		server := &http.Server{Handler: limiter.Limit(mux), ReadHeaderTimeout: 5 * time.Second}
		limiter.Guard(server)
		conns := new(admission.Conns)
		conns.Set(limits)
		go server.Serve(limiter.Listener(l, conns))
		play(t, h)
		select {
		case <-h.held:
		default:
			close(h.held)
		}
		if err := server.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// A caller is a connection of a client.
type caller struct {
	t *testing.T
	io.ReadWriteCloser
}

func (h *house) dial(from string) *caller {
	h.t.Helper()
	c, err := h.network.DialFrom(netip.MustParseAddr(from))(h.t.Context(), "tcp", at().String())
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { c.Close() })
	synctest.Wait()
	return &caller{h.t, c}
}

// send sends a request.
func (c *caller) send(path string, header ...string) {
	fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: a\r\n%s\r\n", path, strings.Join(append(header, ""), "\r\n"))
	synctest.Wait()
}

// ask sends a request, and returns the answer up to its header's end, or "" if the
// connection is closed.
func (c *caller) ask(path string, header ...string) string {
	c.send(path, header...)
	return c.answer()
}

// answer returns the next answer.
func (c *caller) answer() string {
	b := make([]byte, 4096)
	n, _ := c.Read(b)
	return string(b[:n])
}

func (c *caller) want(answer, status string) {
	c.t.Helper()
	if !strings.HasPrefix(answer, "HTTP/1.1 "+status) {
		c.t.Errorf("want %s, got %q", status, answer)
	}
}

// Bytes after a chunked body are not read as a request, because a proxy that uses the
// Content-Length could pass them as part of the body.
func TestBytesAfterAChunkedBodyAreNoRequest(t *testing.T) {
	open(t, new(admission.Limiter), admission.ConnLimits{}, func(t *testing.T, h *house) {
		for _, path := range []string{"/", "/nosuch", "/healthz"} {
			c := h.dial("192.0.2.7")
			const hidden = "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 198.51.100.1\r\n\r\n"
			fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n%s",
				path, 5+len(hidden), hidden)
			b, err := io.ReadAll(c)
			if err != nil || strings.Count(string(b), "HTTP/1.1 ") != 1 {
				t.Errorf("%s: %q, %v", path, b, err)
			}
		}
	})
}

// The connection of a client that has waited longest makes room for its next one. Before
// a connection has had time to send a request, it does not.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	limiter := new(admission.Limiter)
	open(t, limiter, admission.ConnLimits{Max: 8, PerAddress: 2}, func(t *testing.T, h *house) {
		first, second := h.dial("127.0.0.2"), h.dial("127.0.0.2")
		third := h.dial("127.0.0.2")
		third.want(third.ask("/"), "429")
		time.Sleep(2 * time.Second)
		second.want(second.ask("/"), "200")
		fourth := h.dial("127.0.0.2")
		fourth.want(fourth.ask("/"), "200")
		second.want(second.ask("/"), "200")
		if got := first.ask("/"); got != "" {
			t.Errorf("the first gets %q", got)
		}
		if s := limiter.Stats(); s.Idle != 1 || s.Refused[admission.Connections] != 1 {
			t.Errorf("counts %+v", s)
		}
	})
}

// If a server is full, connections of any client without a request make room.
func TestFullServerClosesIdleConnections(t *testing.T) {
	open(t, new(admission.Limiter), admission.ConnLimits{Max: 40, PerAddress: 10}, func(t *testing.T, h *house) {
		var idle []*caller
		for i := range 40 {
			idle = append(idle, h.dial(fmt.Sprintf("127.0.%d.2", i/10)))
		}
		time.Sleep(2 * time.Second)
		for range 5 {
			c := h.dial("198.51.100.7")
			c.want(c.ask("/"), "200")
		}
		open := 0
		for _, c := range idle {
			if c.ask("/") != "" {
				open++
			}
		}
		if open != 35 {
			t.Errorf("%d are open", open)
		}
	})
}

// If a server is full of busy connections, prefixes with the most connections make room
// for clients of other prefixes, which keep their places.
func TestLargePrefixesMakeRoom(t *testing.T) {
	limiter := new(admission.Limiter)
	open(t, limiter, admission.ConnLimits{Max: 64, PerAddress: 8, PerPrefix: 16}, func(t *testing.T, h *house) {
		hold := func(from string) *caller {
			c := h.dial(from)
			c.send("/held")
			return c
		}
		var honest []*caller
		for i := range 4 {
			honest = append(honest, hold(fmt.Sprintf("198.51.%d.7", i)))
		}
		for i := range 60 {
			hold(fmt.Sprintf("127.0.%d.%d", i/15, i%2))
		}
		// Samples find one of the many: with 13 of 64 honest at the end, all miss once in 300 000 times.
		for i := range 10 {
			c := h.dial(fmt.Sprintf("203.0.%d.7", i))
			c.want(c.ask("/"), "200")
			c.send("/held")
			honest = append(honest, c)
		}
		if got := limiter.Stats().Refused[admission.Closed]; got != 10 {
			t.Errorf("%d were closed", got)
		}
		for range 10 { // the attacker returns
			hold("127.0.0.9")
		}
		close(h.held)
		synctest.Wait()
		for i, c := range honest {
			if c.answer() == "" {
				t.Errorf("honest connection %d was closed", i)
			}
		}
	})
}

// Clients of a full server do not close each other's busy connections in turn: a prefix makes room
// only for a prefix that would have less than half as many.
func TestBusyConnectionsOfFewStay(t *testing.T) {
	limiter := new(admission.Limiter)
	open(t, limiter, admission.ConnLimits{Max: 12}, func(t *testing.T, h *house) {
		for i := range 12 {
			h.dial(fmt.Sprintf("198.51.%d.%d", i/3, i)).send("/held")
		}
		first := h.dial("203.0.113.1") // its prefix has one connection, which takes the place of one of three
		first.want(first.ask("/"), "200")
		first.send("/held")
		second := h.dial("203.0.113.2")
		second.want(second.ask("/"), "429")
		if got := limiter.Stats().Refused[admission.Closed]; got != 1 {
			t.Errorf("%d were closed", got)
		}
		close(h.held)
	})
}

// A connection beyond the limits gets an answer, as long as there is room for it, and its
// checks of the health too.
func TestConnectionsBeyondTheLimitsAreAnswered(t *testing.T) {
	limiter := &admission.Limiter{Vital: []string{"/healthz"}}
	open(t, limiter, admission.ConnLimits{Max: 16, PerAddress: 2, PerPrefix: 4}, func(t *testing.T, h *house) {
		for range 2 {
			h.dial("127.0.0.2").send("/held")
		}
		beyond, healthy := h.dial("127.0.0.2"), h.dial("127.0.0.2")
		cut := h.dial("127.0.0.2")
		if got := cut.ask("/"); got != "" {
			t.Errorf("far beyond the limits: %q", got)
		}
		answer := beyond.ask("/")
		beyond.want(answer, "429")
		if !strings.Contains(answer, "\r\nRetry-After: ") || !strings.Contains(answer, "\r\nConnection: close") {
			t.Errorf("the answer is %q", answer)
		}
		healthy.want(healthy.ask("/healthz"), "200")
		other := h.dial("127.0.0.3")
		other.want(other.ask("/"), "200")
		h.dial("127.0.0.4").send("/held") // four of the prefix
		last := h.dial("127.0.0.5")
		last.want(last.ask("/"), "429")
		close(h.held)
		synctest.Wait()
		time.Sleep(2 * time.Second)
		after := h.dial("127.0.0.2")
		after.want(after.ask("/"), "200")
	})
}

// Requests beyond the rate of a client or a prefix get 429 after a pause. Others, and
// checks of the health, are answered.
func TestRequestsBeyondTheRateGet429(t *testing.T) {
	var log bytes.Buffer
	limiter := &admission.Limiter{
		Rates: lobbywire.Rates{PerSource: 1, PerPrefix: 2}, Vital: []string{"/healthz"},
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	}
	open(t, limiter, admission.ConnLimits{}, func(t *testing.T, h *house) {
		hog := h.dial("127.0.0.2")
		hog.want(hog.ask("/"), "200")
		for range 5 {
			before := time.Now()
			answer := hog.ask("/")
			hog.want(answer, "429")
			if took := time.Since(before); took < 50*time.Millisecond {
				t.Errorf("refused after %v", took)
			}
			if !strings.Contains(answer, "\r\nRetry-After: ") {
				t.Errorf("the answer is %q", answer)
			}
		}
		hog.want(hog.ask("/healthz"), "200")
		for i, status := range []string{"200", "200", "429"} {
			neighbour := h.dial(fmt.Sprintf("127.0.0.%d", 3+i))
			neighbour.want(neighbour.ask("/"), status)
		}
		other := h.dial("127.0.1.2")
		other.want(other.ask("/"), "200")
		if n := strings.Count(log.String(), "level=WARN"); n != 1 || !strings.Contains(log.String(),
			`reason=requests prefix=127.0.0.0/24`) {
			t.Errorf("%d lines: %s", n, log.String())
		}
		if got := limiter.Stats().Refused[admission.Requests]; got != 6 {
			t.Errorf("counts %d", got)
		}
		served := 0
		for range 100 {
			if strings.Contains(hog.ask("/healthz"), " 200 ") {
				served++
			}
		}
		if served < 20 || served == 100 {
			t.Errorf("%d of 100 checks of the health at once", served)
		}
	})
}

// A trusted proxy may have any number of connections, and its clients have separate
// limits. Others cannot name clients.
func TestClientsOfProxiesHaveTheirLimits(t *testing.T) {
	limiter := &admission.Limiter{
		Rates: lobbywire.Rates{PerSource: 1}, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
	}
	open(t, limiter, admission.ConnLimits{PerAddress: 2}, func(t *testing.T, h *house) {
		for i, status := range []string{"200", "200", "200", "429"} {
			c := h.dial("127.0.0.1")
			c.want(c.ask("/", fmt.Sprintf("X-Forwarded-For: 192.0.2.9, 198.51.%d.7", i%3)), status)
		}
		liar := h.dial("127.0.0.2")
		liar.want(liar.ask("/", "X-Forwarded-For: 198.51.100.1"), "200")
		liar.want(liar.ask("/", "X-Forwarded-For: 198.51.100.2"), "429")
	})
}

// The requests of a client that are being answered are limited, also if a proxy forwards
// them.
func TestConcurrentAnswersAreLimited(t *testing.T) {
	limiter := &admission.Limiter{MaxAnswers: 2, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}
	open(t, limiter, admission.ConnLimits{}, func(t *testing.T, h *house) {
		const hog = "X-Forwarded-For: 192.0.2.9"
		for range 2 {
			h.dial("127.0.0.1").send("/held", hog)
		}
		c := h.dial("127.0.0.1")
		c.want(c.ask("/held", hog), "429")
		c.want(c.ask("/", "X-Forwarded-For: 192.0.2.10"), "200")
		close(h.held)
		synctest.Wait()
		c.want(c.ask("/held", hog), "200")
	})
}

// The log gets only a few lines, however many prefixes are refused.
func TestLogIsBounded(t *testing.T) {
	var log bytes.Buffer
	limiter := &admission.Limiter{Rates: lobbywire.Rates{PerSource: 1}, Logger: slog.New(slog.NewTextHandler(&log, nil))}
	open(t, limiter, admission.ConnLimits{}, func(t *testing.T, h *house) {
		for i := range 100 {
			c := h.dial(fmt.Sprintf("127.1.%d.1", i))
			c.ask("/")
			c.want(c.ask("/"), "429")
		}
		if n := strings.Count(log.String(), "\n"); n != 16 {
			t.Errorf("%d lines", n)
		}
	})
}

// Over HTTP/2, a client that does not accept the body of a refusal would hold its handler.
func TestRefusalsOverHTTP2HaveNoBody(t *testing.T) {
	var limiter *admission.Limiter
	for major, want := range map[int]string{1: "too many connections\n", 2: ""} {
		r, w := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
		r.ProtoMajor = major
		limiter.Refuse(w, r, admission.Connections)
		if w.Code != http.StatusTooManyRequests || w.Body.String() != want || w.Header().Get("Retry-After") == "" {
			t.Errorf("HTTP/%d: %d, %q, %v", major, w.Code, w.Body, w.Header())
		}
	}
}

// A nil Limiter has no limits.
func TestNilLimiterHasNoLimits(t *testing.T) {
	var limiter *admission.Limiter
	done := 0
	for range 1000 {
		r := &http.Request{RemoteAddr: "192.0.2.1:1", Header: http.Header{}}
		if !limiter.Spend(nil, r, 1) || !limiter.Work(nil, r, 1, func() { done++ }) {
			t.Fatal("refused")
		}
		if diff := cmp.Diff("192.0.2.1", limiter.Client(r).String()); diff != "" {
			t.Fatal(diff)
		}
	}
	if done != 1000 {
		t.Errorf("did %d", done)
	}
}

// Requests that a mux or the server answers itself count: redirects of unclean paths,
// unknown paths, other methods, and OPTIONS for *.
func TestAnswersOfTheMuxCount(t *testing.T) {
	limiter := &admission.Limiter{Rates: lobbywire.Rates{PerSource: 1}}
	open(t, limiter, admission.ConnLimits{}, func(t *testing.T, h *house) {
		for i, tt := range []struct{ request, status string }{
			{"GET //x", "307"}, {"GET /a/../x", "307"}, {"GET /./", "307"}, {"GET /nosuch", "404"}, {"POST /", "405"},
			{"OPTIONS *", "400"}, {"CONNECT a:1", "405"}, {"DELETE //%ff", "307"},
		} {
			c := h.dial(fmt.Sprintf("198.51.100.%d", i))
			fmt.Fprintf(c, "%s HTTP/1.1\r\nHost: a\r\n\r\n", tt.request)
			synctest.Wait()
			c.want(c.answer(), tt.status)
			c = h.dial(fmt.Sprintf("198.51.100.%d", i))
			fmt.Fprintf(c, "%s HTTP/1.1\r\nHost: a\r\n\r\n", tt.request)
			synctest.Wait()
			c.want(c.answer(), "429")
		}
	})
}
