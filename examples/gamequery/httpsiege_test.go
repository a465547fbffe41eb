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
	"net/netip"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
	"github.com/lobbywire/lobbywire/examples/internal/traffictest"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A siege is an attack on a query service in another process, from prefixes in 127.1.0.0/16,
// while a client at 127.0.0.3 is served.
type siege struct {
	t       *testing.T
	process *exec.Cmd
	addr    string
	server  string // a game server, at an address that is also attacked
	other   string // a game server that is not attacked
	master  string // a master with a short list
}

// siegeMemory is the most that the service may take.
const siegeMemory = 256 << 20

func besiege(t *testing.T) *siege {
	t.Helper()
	suite.Long(t, "a minute, and processors of its own")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &siege{t: t, process: exec.Command(self, "http", "-allow", "127.0.0.0/8", "-cache", "0s", "-list-cache", "1s",
		"-timeout", "10s",
		"127.0.0.1:0")}
	s.process.Args[0] = "gamequery"
	stderr, err := s.process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.process.Process.Kill()
		s.process.Wait()
	})
	lines := bufio.NewReader(stderr)
	line, err := lines.ReadString('\n')
	found := regexp.MustCompile(` on (\S+);`).FindStringSubmatch(line)
	if err != nil || found == nil {
		t.Fatalf("%q, %v", line, err)
	}
	go io.Copy(io.Discard, lines)
	s.addr = found[1]
	s.server, _ = background(t, "serve", "sqp", "127.0.7.7:0")
	s.other, _ = background(t, "serve", "sqp", "127.0.9.9:0")
	s.master = traffictest.GameSpyMaster(t, listStart(), func(add func(...*sb2.Server) error) {
		_ = add(listedServers(20)...)
	})
	return s
}

func listStart() sb2.List {
	return sb2.List{ClientIP: netip.MustParseAddr("127.0.0.1"), DefaultPort: 6500}
}

func listedServers(n int) (all []*sb2.Server) {
	for i := range n {
		ip := netip.AddrFrom4([4]byte{8, 8, byte(i >> 8), byte(i)})
		all = append(all, &sb2.Server{Flags: sb2.FlagUnsolicitedUDP, IP: ip})
	}
	return all
}

// clientAt returns a client that makes a connection for each request.
func clientAt(from string) *http.Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	return &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}}
}

// figures measure how the service answers a client.
type figures struct {
	answered, asked int
	median          time.Duration
}

func (m figures) String() string {
	return fmt.Sprintf("%d of %d answered, median %.1f ms", m.answered, m.asked, float64(m.median)/1e6)
}

// serve sends requests as a web site does.
func (s *siege) serve() figures {
	const rounds = 12
	client := clientAt("127.0.0.3")
	client.Timeout = time.Minute
	all := figures{}
	var took []time.Duration
	pace := time.NewTicker(time.Second / 2)
	defer pace.Stop()
	for range rounds {
		<-pace.C
		for path, want := range map[string]string{
			"/v1/query?game=sqp&address=" + s.server:                          `"players":`,
			"/probe?module=sqp&target=" + s.other:                             "probe_success 1\n",
			"/v1/list?protocol=gamespy2&game=a&key=secret&master=" + s.master: `"query":"8.8.0.19:6500"`,
			"/healthz": "ok",
		} {
			all.asked++
			start := time.Now()
			w, err := client.Get("http://" + s.addr + path)
			if err != nil {
				continue
			}
			text, err := io.ReadAll(w.Body)
			w.Body.Close()
			if err == nil && w.StatusCode == http.StatusOK && strings.Contains(string(text), want) {
				all.answered++
				took = append(took, time.Since(start))
			}
		}
	}
	slices.SortFunc(took, cmp.Compare[time.Duration])
	if len(took) > 0 {
		all.median = took[len(took)/2]
	}
	return all
}

// memory returns the resident memory.
func (s *siege) memory() int64 {
	s.t.Helper()
	n, err := bench.Resident(s.process.Process.Pid)
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// value returns the value of a metric of the service.
func (s *siege) value(name string) float64 {
	s.t.Helper()
	w, err := clientAt("127.0.0.5").Get("http://" + s.addr + "/metrics")
	if err != nil {
		s.t.Fatal(err)
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindSubmatch(text)
	if found == nil {
		s.t.Fatalf("no %s, %d", name, w.StatusCode)
	}
	n, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// An attacker sends requests until ctx is done.
type attacker func(ctx context.Context, client *http.Client, n int)

// request sends a request and reads the answer.
func (s *siege) request(ctx context.Context, client *http.Client, method, path, body string) {
	r, err := http.NewRequestWithContext(ctx, method, "http://"+s.addr+path, strings.NewReader(body))
	if err != nil {
		s.t.Error(err)
		return
	}
	w, err := client.Do(r)
	if err != nil {
		return
	}
	io.Copy(io.Discard, w.Body)
	w.Body.Close()
}

// An attacker that uses each known way neither makes memory grow without bound nor takes the
// place of others.
func TestQueryServiceUnderAttack(t *testing.T) {
	s := besiege(t)
	var silent strings.Builder // addresses
	for i := range 250 {
		c, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 8, byte(1+i))})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintln(&silent, c.LocalAddr())
	}
	long := traffictest.GameSpyMaster(t, listStart(), func(add func(...*sb2.Server) error) {
		for servers := listedServers(1000); add(servers...) == nil; {
		}
	})
	popular := listStart()
	popular.Keys, popular.Popular = []sb2.Key{{Name: "hostname"}}, []string{strings.Repeat("x", 50_000)}
	bomb := traffictest.GameSpyMaster(t, popular, func(add func(...*sb2.Server) error) {
		row := listedServers(1)[0]
		row.Flags |= sb2.FlagFields
		row.Fields = []sb2.KeyValue{{Key: "hostname", Value: popular.Popular[0]}}
		for add(row) == nil {
		}
	})
	var filters atomic.Int64 // makes lists different
	list := func(master string) string {
		return fmt.Sprint("/v1/list?protocol=gamespy2&game=a&key=secret&master=", master, "&filter=a", filters.Add(1))
	}
	targets := func(of string, ports func(i int) int) string {
		var b strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&b, "%s:%d\n", of, ports(i))
		}
		return b.String()
	}
	var closed strings.Builder
	for i := range 250 {
		fmt.Fprintf(&closed, "127.0.10.%d:2000\n127.0.11.%d:2000\n", 1+i, 1+i)
	}
	host, _, _ := net.SplitHostPort(s.server)

	idle, before := s.serve(), s.memory()
	goroutines := s.value("go_goroutines")
	t.Logf("idle: %v, %d MiB", idle, before>>20)
	for _, a := range []struct {
		name              string
		prefixes, clients int // clients of each prefix
		connections       int // of each client
		attack            attacker
	}{
		{"unclean paths", 1, 1, 16, func(ctx context.Context, c *http.Client, n int) {
			s.request(ctx, c, "GET", fmt.Sprintf("//x%d/%%ff%d", n, filters.Add(1)), "")
		}},
		{"scans of silent servers", 4, 8, 2, func(ctx context.Context, c *http.Client, n int) {
			s.request(ctx, c, "POST", "/v1/scan?game=sqp", silent.String())
		}},
		{"scans of closed ports of many hosts", 4, 8, 2, func(ctx context.Context, c *http.Client, n int) {
			s.request(ctx, c, "POST", "/v1/scan?game=sqp", closed.String())
		}},
		{"scans of closed ports", 4, 1, 2, func(ctx context.Context, c *http.Client, n int) {
			s.request(ctx, c, "POST", "/v1/scan?game=sqp", targets(host, func(i int) int { return 2000 + n*1000 + i }))
		}},
		{"queries of closed ports", 4, 4, 4, func(ctx context.Context, c *http.Client, n int) {
			s.request(ctx, c, "GET", fmt.Sprint("/v1/query?game=sqp&address=", host, ":", 2000+filters.Add(1)%60_000), "")
		}},
		{"hasty probes", 2, 1, 4, func(ctx context.Context, c *http.Client, n int) {
			r, err := http.NewRequestWithContext(ctx, "GET", "http://"+s.addr+"/probe?module=sqp&target="+s.other, nil)
			if err != nil {
				return
			}
			r.Header.Set("X-Prometheus-Scrape-Timeout-Seconds", "0.002")
			if w, err := c.Do(r); err == nil {
				io.Copy(io.Discard, w.Body)
				w.Body.Close()
			}
		}},
		{"endless lists", 4, 4, 8, func(ctx context.Context, c *http.Client, n int) {
			s.request(ctx, c, "GET", list(long), "")
		}},
		{"lists of long lines", 4, 4, 8, func(ctx context.Context, c *http.Client, n int) {
			s.request(ctx, c, "GET", list(bomb), "")
		}},
		{"lists that are not read", 4, 4, 16, func(ctx context.Context, c *http.Client, n int) {
			r, err := http.NewRequestWithContext(ctx, "GET", "http://"+s.addr+list(bomb), nil)
			if err != nil {
				return
			}
			if w, err := c.Do(r); err == nil {
				select {
				case <-ctx.Done():
				case <-time.After(5 * time.Second):
				}
				w.Body.Close()
			}
		}},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		var attacking sync.WaitGroup
		var sent atomic.Int64
		for n := range a.prefixes * a.clients * a.connections {
			from := fmt.Sprintf("127.1.%d.%d", n%a.prefixes, 1+n/a.prefixes%a.clients)
			attacking.Go(func() {
				client := clientAt(from)
				client.Transport.(*http.Transport).DisableKeepAlives = false
				defer client.CloseIdleConnections()
				for ctx.Err() == nil {
					a.attack(ctx, client, n)
					sent.Add(1)
				}
			})
		}
		peak := s.memory()
		sampling, stop := context.WithCancel(ctx)
		attacking.Go(func() {
			for sampling.Err() == nil {
				if n, err := bench.Resident(s.process.Process.Pid); err == nil {
					peak = max(peak, n)
				}
				select {
				case <-sampling.Done():
				case <-time.After(100 * time.Millisecond):
				}
			}
		})
		got := s.serve()
		stop()
		cancel()
		attacking.Wait()
		t.Logf("%s: %v, at most %d MiB, beside %d requests", a.name, got, peak>>20, sent.Load())
		if got.answered*100 < got.asked*95 || got.median > 10*idle.median {
			t.Errorf("%s: %v, and when idle %v", a.name, got, idle)
		}
		if peak > siegeMemory {
			t.Errorf("%s: %d MiB", a.name, peak>>20)
		}
	}
	for wait := time.Now().Add(2 * time.Minute); ; <-time.After(time.Second) {
		running, left := s.value("gamequery_http_queries_running"), s.value("go_goroutines")
		heap := s.value("go_memstats_heap_alloc_bytes")
		if running == 0 && left <= goroutines+20 && heap < 48<<20 {
			t.Logf("after: %v, %d MiB, %.0f MiB of them in use", s.serve(), s.memory()>>20, heap/(1<<20))
			return
		}
		if time.Now().After(wait) {
			t.Fatalf("left: %v queries, %v goroutines of %v, %.0f bytes", running, left, goroutines, heap)
		}
	}
}
