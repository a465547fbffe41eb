//go:build linux

package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A siege is an attack on a lobbyd from 127.0.0.2, while clients at 127.0.0.3 are served.
type siege struct {
	addr map[string]string
	p    *process
}

// besiege runs lobbyd in a separate process.
func besiege(t *testing.T, args ...string) siege {
	t.Helper()
	p := spawn(t, nil, append(withAdminListener(t, "-pprof"), args...)...)
	return siege{p.listening(t), p}
}

// mostConns is how many connections the page of crowded may have.
var mostConns = suite.Pick(512, 4096)

// crowded is besiege with a page that is full after mostConns connections.
func crowded(t *testing.T) siege {
	t.Helper()
	return besiege(t, "-config", file(t, fmt.Sprintf("web = { listen = '127.0.0.1:0', max-connections = %d }", mostConns)))
}

// dialFrom returns a dialer with an address.
func dialFrom(from string) *net.Dialer {
	return &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: patience}
}

// clientAt returns a client that makes a connection for each request.
func clientAt(from string) *http.Client {
	return &http.Client{
		Transport: &http.Transport{DialContext: dialFrom(from).DialContext, DisableKeepAlives: true},
		Timeout:   patience,
	}
}

// A service measures how honest clients are served.
type service struct {
	answered, asked int
	median          time.Duration
}

func (s service) String() string {
	return fmt.Sprintf("%d of %d answered, median %.2f ms", s.answered, s.asked, float64(s.median)/1e6)
}

// serve requests the page, the API, the lists of games and the checks like honest
// clients.
func (s siege) serve(t *testing.T, from string) service {
	t.Helper()
	rounds := suite.Pick(2, 25)
	client := clientAt(from)
	lists, err := wzhttp.EndpointList.Path("")
	if err != nil {
		t.Fatal(err)
	}
	var took []time.Duration
	all := service{}
	pace := time.NewTicker(130 * time.Millisecond) // the lobby allows eight lists a second
	defer pace.Stop()
	for range rounds {
		<-pace.C
		for _, path := range []string{"/", "/api/servers?q=a", "/healthz", "/readyz", lobbyPath + lists} {
			all.asked++
			before := time.Now()
			r, err := client.Get("http://" + s.addr["web"] + path)
			if err != nil {
				continue
			}
			_, err = io.Copy(io.Discard, r.Body)
			r.Body.Close()
			if err == nil && r.StatusCode == http.StatusOK {
				all.answered++
				took = append(took, time.Since(before))
			}
		}
	}
	slices.SortFunc(took, func(a, b time.Duration) int { return cmp.Compare(a, b) })
	if len(took) > 0 {
		all.median = took[len(took)/2]
	}
	return all
}

// wantService fails unless honest clients are served beside an attack.
func (s siege) wantService(t *testing.T, idle service) {
	t.Helper()
	got := s.serve(t, "127.0.0.3")
	t.Logf("idle: %v; beside the attack: %v; %v", idle, got, s.p.vitals(t, s.addr))
	if got.answered*100 < got.asked*95 {
		t.Errorf("beside the attack %v, and when idle %v", got, idle)
	}
}

// One address with more connections than fit, which send nothing, takes no place of others.
func TestIdleConnectionsTakeNoPlaceOfOthers(t *testing.T) {
	s := crowded(t)
	idle := s.serve(t, "127.0.0.3")
	var all []net.Conn
	defer func() {
		for _, c := range all {
			c.Close()
		}
	}()
	open := func(port string) {
		for range mostConns + 4 {
			c, err := dialFrom("127.0.0.2").DialContext(t.Context(), "tcp", s.addr[port])
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, c)
		}
	}
	open("web")
	s.wantService(t, idle)
	for _, c := range all {
		fmt.Fprint(c, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n") // open connections become idle again
	}
	open("web")
	s.wantService(t, idle)
	if got := number(t, fetch(t, "http://"+s.addr["metrics"]+"/metrics"),
		`lobbyd_http_refused_total{reason="closed"}`); got < uint64(mostConns*9/10) {
		t.Errorf("%d connections were closed", got)
	}
}

// More slow requests than fit, from ten prefixes that connect again when they are closed,
// take no place of others.
func TestBusyConnectionsTakeNoPlaceOfOthers(t *testing.T) {
	s := crowded(t)
	idle := s.serve(t, "127.0.0.3")
	ctx, cancel := context.WithCancel(t.Context())
	var attack sync.WaitGroup
	defer attack.Wait()
	defer cancel()
	path, err := wzhttp.EndpointCreate.Path("")
	if err != nil {
		t.Fatal(err)
	}
	var opened atomic.Int64
	slow := func(from string) {
		for ctx.Err() == nil {
			c, err := dialFrom(from).DialContext(ctx, "tcp", s.addr["web"])
			if err != nil {
				return
			}
			opened.Add(1)
			stop := context.AfterFunc(ctx, func() { c.Close() })
			fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{", lobbyPath+path)
			io.Copy(io.Discard, c)
			stop()
			c.Close()
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
	const prefixes, each = 10, 56
	addresses := mostConns / 512
	attackers := prefixes * addresses * each
	for i := range attackers {
		attack.Go(func() { slow(fmt.Sprintf("127.0.%d.%d", 10+i%prefixes, 1+i/prefixes%addresses)) })
	}
	for wait := time.Now().Add(patience); opened.Load() < int64(attackers) && time.Now().Before(wait); {
		runtime.Gosched()
	}
	s.wantService(t, idle)
	t.Logf("%d slow requests", opened.Load())
}

// One address that repeats searches as fast as it can does not delay others.
func TestSearchesOfOneAddressDelayNobody(t *testing.T) {
	s := besiege(t)
	idle := s.serve(t, "127.0.0.3")
	var attack sync.WaitGroup
	var stop atomic.Bool
	var got, refused atomic.Int64
	for range 64 {
		attack.Go(func() {
			client := clientAt("127.0.0.2")
			client.Transport.(*http.Transport).DisableKeepAlives = false
			defer client.CloseIdleConnections()
			for !stop.Load() {
				r, err := client.Get("http://" + s.addr["web"] + "/api/servers?q=" + strings.Repeat("a", 200))
				if err != nil {
					continue
				}
				io.Copy(io.Discard, r.Body)
				r.Body.Close()
				got.Add(1)
				if r.StatusCode == http.StatusTooManyRequests {
					refused.Add(1)
				}
			}
		})
	}
	s.wantService(t, idle)
	stop.Store(true)
	attack.Wait()
	t.Logf("%d searches, %d refused", got.Load(), refused.Load())
	if answered := got.Load() - refused.Load(); answered > 1000 {
		t.Errorf("%d searches of one address were answered", answered)
	}
}

// Behind a trusted proxy, each client may have its own streams of events. Without a
// proxy, clients on this machine are like others.
func TestStreamsOfClientsAreSeparate(t *testing.T) {
	const most = 3
	name := file(t, fmt.Sprintf("web = { listen = '127.0.0.1:0', streams-per-source = %d }", most))
	l := start(t, append(anywhere(), "-config", name, "-trusted-proxy", "127.0.0.1")...)
	watch := func(from, forwarded string) int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+l.addr["web"]+"/api/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Forwarded-For", forwarded)
		w, err := clientAt(from).Transport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { w.Body.Close() })
		return w.StatusCode
	}
	for i := range most {
		for _, c := range []struct{ from, forwarded string }{
			{"127.0.0.1", "192.0.2.7"}, {"127.0.0.1", "198.51.100.7"}, {"127.0.0.2", fmt.Sprintf("203.0.113.%d", i)},
		} {
			if got := watch(c.from, c.forwarded); got != http.StatusOK {
				t.Errorf("stream %d of %v: %d", i, c, got)
			}
		}
	}
	for _, from := range []string{"127.0.0.1", "127.0.0.2"} {
		if got := watch(from, "192.0.2.7"); got != http.StatusTooManyRequests {
			t.Errorf("one more from %s: %d", from, got)
		}
	}
	if got := watch("127.0.0.1", "192.0.2.8"); got != http.StatusOK {
		t.Errorf("another client: %d", got)
	}
}

// The public port does not serve metrics.
func TestMetricsHaveAPort(t *testing.T) {
	l := start(t, anywhere()...)
	for server, want := range map[string]int{"web": http.StatusNotFound, "metrics": http.StatusOK} {
		r, err := http.Get("http://" + l.addr[server] + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != want {
			t.Errorf("%s: %d", server, r.StatusCode)
		}
	}
}

// Requests that a mux answers itself, or that the lobby does not know, count at each port.
// Messages of games to the lobby have other rates.
func TestAnswersOfMuxesCount(t *testing.T) {
	name := file(t, "web = { listen = '127.0.0.1:0', requests-per-source = 1 }")
	l := start(t, append(anywhere(), "-config", name, "-http", "127.0.0.1:0")...)
	const each = 8 // as many lists as the lobby allows at once
	var asking sync.WaitGroup
	for i, tt := range []struct {
		server, request string
		counts          bool
	}{
		{"web", "GET //x", true},
		{"web", "GET /a/../lobby/x", true},
		{"web", "GET /lobby", true},
		{"web", "GET /lobby/../x", true},
		{"web", "GET /lobby/nosuch", true},
		{"web", "PUT /lobby/api/v1/games", true},
		{"web", "POST /api/servers", true},
		{"web", "OPTIONS *", true},
		{"http", "GET //x", true},
		{"http", "GET /lobby", true},
		{"http", "GET /lobby/nosuch", true},
		{"http", "OPTIONS *", true},
		{"metrics", "GET //metrics", true},
		{"metrics", "POST /metrics", true},
		{"web", "GET /lobby/api/v1/games", false},
		{"web", "HEAD /lobby//api/v1/games", false},
		{"http", "GET /lobby/api/v1/games", false},
	} {
		asking.Go(func() {
			refused := 0
			var c net.Conn
			var answers *bufio.Reader
			for range each {
				if c == nil {
					var err error
					c, err = dialFrom(fmt.Sprintf("127.0.%d.2", 10+i)).DialContext(t.Context(), "tcp", l.addr[tt.server])
					if err != nil {
						t.Error(err)
						return
					}
					defer c.Close()
					answers = bufio.NewReader(c)
				}
				fmt.Fprint(c, tt.request+" HTTP/1.1\r\nHost: a\r\n\r\n")
				method, _, _ := strings.Cut(tt.request, " ")
				r, err := http.ReadResponse(answers, &http.Request{Method: method})
				if err != nil {
					t.Errorf("%s %s: %v", tt.server, tt.request, err)
					return
				}
				io.Copy(io.Discard, r.Body)
				if r.StatusCode == http.StatusTooManyRequests {
					refused++
				}
				if r.Close {
					c = nil
				}
			}
			if (refused > 0) != tt.counts {
				t.Errorf("%s %s: %d of %d refused", tt.server, tt.request, refused, each)
			}
		})
	}
	asking.Wait()
}
